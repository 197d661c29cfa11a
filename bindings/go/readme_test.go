// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The example of README.md is a program that prints the text after it.
func TestReadme(t *testing.T) {
	here, folder := must(os.Getwd())(t), t.TempDir()
	page := must(os.ReadFile("README.md"))(t)
	example := regexp.MustCompile("(?s)```go\n(.*?)\t// Output:\n(.*?)}\n```").FindSubmatch(page)
	program := "package main\n\nimport (\n\"bytes\"\n\"errors\"\n\"fmt\"\n\"log\"\n\"math/big\"\n\nsumac \"github.com/sumac-msm/sumac/bindings/go\"\n)\n\n" + string(example[1]) + "}\n"
	ok(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o600))
	module := "module main\ngo 1.24\nrequire github.com/sumac-msm/sumac/bindings/go v0.0.0\nreplace github.com/sumac-msm/sumac/bindings/go => " + here + "\n"
	ok(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte(module), 0o600))
	run := exec.Command("go", "run", ".")
	run.Dir = folder
	printed := string(must(run.Output())(t))
	if expected := strings.ReplaceAll(string(example[2]), "\t// ", ""); printed != expected {
		t.Errorf("the example prints %q, and not %q", printed, expected)
	}
}
