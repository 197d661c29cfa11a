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

// TestReadme runs the examples of README.md. One is a few lines. The other is a program, which must print the text after its
// "Output:".
func TestReadme(t *testing.T) {
	page := string(must(os.ReadFile("README.md"))(t))
	lines := regexp.MustCompile("(?s)```go\n(context.*?)```").FindStringSubmatch(page)[1]
	program := regexp.MustCompile("(?s)```go\n(func main.*?)\t// Output:\n(.*?)}\n```").FindStringSubmatch(page)
	printed := run(t, "\"bytes\"\n\"errors\"\n\"fmt\"\n\"log\"\n\"math/big\"", program[1]+"}\n")
	if expected := strings.ReplaceAll(program[2], "\t// ", ""); printed != expected {
		t.Errorf("the example prints %q, and not %q", printed, expected)
	}
	before := "func main() {\npoints := make([]byte, 128)\npoints[0], points[32], points[64], points[96] = 1, 2, 1, 2\n" +
		"a, b := big.NewInt(3), big.NewInt(4)\n"
	short := run(t, "\"fmt\"\n\"log\"\n\"math/big\"", before+lines+"if err != nil {\nlog.Fatal(err)\n}\nfmt.Printf(\"7G has x = %#x\\n\", coordinates[0])\n}\n")
	if !strings.HasPrefix(printed, short) || short == "" {
		t.Errorf("the lines print %q, and the example %q", short, printed)
	}
}

// run runs a program outside the module, and returns what it prints.
func run(t *testing.T, imports, text string) string {
	here, folder := must(os.Getwd())(t), t.TempDir()
	const module = "github.com/sumac-msm/sumac/bindings/go"
	text = "package main\n\nimport (\n" + imports + "\n\nsumac \"" + module + "\"\n)\n\n" + text
	ok(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(text), 0o600))
	ok(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module main\ngo 1.24\nrequire "+module+" v0.0.0\nreplace "+module+" => "+here+"\n"), 0o600))
	program := exec.Command("go", "run", ".")
	program.Dir = folder
	return string(must(program.Output())(t))
}
