module github.com/ethereum/c-kzg-4844/v2

go 1.21
