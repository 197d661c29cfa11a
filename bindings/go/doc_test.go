// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumented checks that every exported name has a comment, or is in a group or line that has one.
func TestDocumented(t *testing.T) {
	documented := 0
	for _, path := range must(filepath.Glob("*.go"))(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, declaration := range must(parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments))(t).Decls {
			check := func(name *ast.Ident, comments ...*ast.CommentGroup) {
				for _, comment := range comments {
					if comment != nil {
						documented++
						return
					}
				}
				if name.IsExported() {
					t.Errorf("%s: %s has no comment", path, name.Name)
				}
			}
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				check(d.Name, d.Doc)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						check(s.Name, d.Doc, s.Doc)
					case *ast.ValueSpec:
						check(s.Names[0], d.Doc, s.Doc, s.Comment)
					}
				}
			}
		}
	}
	if documented < 200 {
		t.Errorf("only %d comments were found", documented)
	}
}
