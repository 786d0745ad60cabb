const text = "]]>";
