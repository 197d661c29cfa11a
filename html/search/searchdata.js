var indexSectionsWithContent =
{
  0: "bcdefghiklmnoprstuvw",
  1: "bcfgks",
  2: "bcefgkmpsv",
  3: "bcefglrsv",
  4: "bcdefghiklmnoprstuvw",
  5: "ds",
  6: "cs",
  7: "cs",
  8: "s"
};

var indexSectionNames =
{
  0: "all",
  1: "classes",
  2: "files",
  3: "functions",
  4: "variables",
  5: "typedefs",
  6: "enums",
  7: "enumvalues",
  8: "defines"
};

var indexSectionLabels =
{
  0: "All",
  1: "Data Structures",
  2: "Files",
  3: "Functions",
  4: "Variables",
  5: "Typedefs",
  6: "Enumerations",
  7: "Enumerator",
  8: "Macros"
};

