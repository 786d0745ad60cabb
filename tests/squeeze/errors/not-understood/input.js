const one = 1;
#two;
