package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), "https://id.example.com")
	if err != nil {
		log.Fatal(err)
	}
	vrata := oauth2.Config{
		ClientID:     "YOUR_CLIENT_ID",
		ClientSecret: os.Getenv("VRATA_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "http://localhost:4000/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: vrata.ClientID})

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, proof := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		keep(w, "state", state)
		keep(w, "proof", proof)
		http.Redirect(w, r, vrata.AuthCodeURL(state, oauth2.S256ChallengeOption(proof)), http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		if kept(r, "state") == "" || r.FormValue("state") != kept(r, "state") {
			http.Error(w, "this sign-in was not begun here", http.StatusBadRequest)
			return
		}
		tokens, err := vrata.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(kept(r, "proof")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		idToken, _ := tokens.Extra("id_token").(string)
		if _, err := verifier.Verify(r.Context(), idToken); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		info, err := provider.UserInfo(r.Context(), vrata.TokenSource(r.Context(), tokens))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		var person struct{ Name string }
		if err := info.Claims(&person); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		// Here your app begins a session of its own for info.Subject.
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "Hello, %s", person.Name)
	})

	log.Println("Open http://localhost:4000/sign-in")
	log.Fatal(http.ListenAndServe("localhost:4000", nil))
}

func keep(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

func kept(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
