{
  "targets": [
    {
      "target_name": "sumac",
      "sources": ["src/addon.c"],
      "cflags_c": ["-std=gnu11", "-fvisibility=hidden", "<!@(pkg-config --cflags sumac)"],
      "libraries": ["<!@(pkg-config --libs sumac)"],
    }
  ]
}
