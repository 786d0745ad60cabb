[31mred	x â€® turned
ÿ
