"""words: every word inside a drawing goes through `word`, so that a translated book has translated drawings.

    word("return")              "return", or its translation
    use_words({"return": ...})  the translations; {} for English
"""

_translations = {}


def word(english):
    """`english`, or what `use_words` gave for it.

    >>> word("called by")
    'called by'
    """
    return _translations.get(english, english)


def use_words(translations):
    """Show these words from now on: a dict from the English to the translated word."""
    _translations.clear()
    _translations.update(translations)
