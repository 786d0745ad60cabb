const text = "no end
";
