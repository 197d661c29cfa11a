// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"bytes"
	"os"
	"testing"
)

// The page's example is the one that is tested.
func TestReadme(t *testing.T) {
	page := bytes.Split(must(os.ReadFile("README.md"))(t), []byte("```go\n"))
	if len(page) != 2 {
		t.Fatal("the page has not one example")
	}
	example, _, _ := bytes.Cut(page[1], []byte("```\n"))
	if !bytes.Contains(must(os.ReadFile("example_test.go"))(t), example) {
		t.Error("the page's example is another one than example_test.go's")
	}
}
