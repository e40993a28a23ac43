from tengen.cli import main

main()
