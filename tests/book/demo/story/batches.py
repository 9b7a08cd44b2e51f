"""A few lines to record: numbers, in batches, with one that cannot be counted."""


def batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    del item
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


def first(iterator):
    return next(iterator)


def main():
    rest = batches([1, 2, 3, "<b>&</b>", 5], 2)
    totals = [total_or_none(first(rest))]
    for batch in rest:
        totals.append(total_or_none(batch))
    return totals
