"""(to be written)"""
def gradcheck(): pass
def gradgradcheck(): pass
