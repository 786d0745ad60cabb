#fg unit=ns samples=30 stacks=entry:0,cut:0,broken:1,unnamed:0 columns=1 total=300
a;[broken];f 300
