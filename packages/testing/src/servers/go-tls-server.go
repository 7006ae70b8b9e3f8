// servers/go-tls-server.go: a server of Go's net/http over TLS that says of each connection whether its handshake was full or
// resumed a session. Takes the port, the version of TLS, whether there are tickets, and the files of its certificate and key.
package main

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	port, version, sessions, certificate, key := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	number := map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}[version]
	server := &http.Server{
		Addr: "127.0.0.1:" + port,
		TLSConfig: &tls.Config{
			MinVersion:             number,
			MaxVersion:             number,
			SessionTicketsDisabled: sessions == "none",
		},
		Handler: http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
			word := "full"
			if request.TLS.DidResume {
				word = "resumed"
			}
			io.WriteString(answer, word)
		}),
	}
	log.Fatal(server.ListenAndServeTLS(certificate, key))
}
