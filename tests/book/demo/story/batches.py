"""A few lines to record: numbers, in batches, with one that cannot be counted."""


def batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def total(batch):
    result = 0
    for number in batch:
        result += number
    return result


def total_or_none(batch):
    try:
        return total(batch)
    except TypeError:
        return None


def main():
    totals = []
    for batch in batches([1, 2, 3, "<b>&</b>", 5], 2):
        totals.append(total_or_none(batch))
    return totals
