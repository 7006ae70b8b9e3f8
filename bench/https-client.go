// bench/https-client.go: checks https URLs with Go's net/http at an even pace, until it is killed. Every check has a
// connection and a full handshake of its own, verifies the certificate, and reads the answer. The targets count the checks, so
// that one which fails does not count. Where the machine cannot keep the pace it does as many as it can, and none in vain.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

const mostInFlight = 256

type fleet struct {
	URLs       []string `json:"urls"`
	IntervalMs int64    `json:"intervalMs"`
	TimeoutMs  int64    `json:"timeoutMs"`
	Authority  string   `json:"authority"`
	ServerName string   `json:"serverName"`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var given fleet
	if err := json.Unmarshal(text, &given); err != nil {
		log.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(given.Authority)) {
		log.Fatal("the authority cannot be read")
	}
	client := &http.Client{
		Timeout: time.Duration(given.TimeoutMs) * time.Millisecond,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			TLSClientConfig:   &tls.Config{RootCAs: roots, ServerName: given.ServerName},
		},
	}
	places := make(chan struct{}, mostInFlight)
	interval := time.Duration(given.IntervalMs) * time.Millisecond
	for number, url := range given.URLs {
		phase := interval * time.Duration(number) / time.Duration(len(given.URLs))
		go keepChecking(client, url, interval, phase, places)
	}
	select {}
}

func keepChecking(client *http.Client, url string, interval, phase time.Duration, places chan struct{}) {
	time.Sleep(phase)
	ticks := time.Tick(interval)
	for {
		places <- struct{}{}
		check(client, url)
		<-places
		<-ticks
	}
}

func check(client *http.Client, url string) {
	answer, err := client.Get(url)
	if err != nil {
		log.Print(err)
		return
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		log.Print(err)
	}
}
