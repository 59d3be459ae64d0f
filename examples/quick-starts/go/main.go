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
	idTokenVerifier := provider.Verifier(&oidc.Config{ClientID: vrata.ClientID})

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, codeVerifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		setCookie(w, "state", state)
		setCookie(w, "code_verifier", codeVerifier)
		http.Redirect(w, r, vrata.AuthCodeURL(state, oauth2.S256ChallengeOption(codeVerifier)), http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		state := cookieValue(r, "state")
		if state == "" || r.FormValue("state") != state {
			http.Error(w, "state does not match", http.StatusBadRequest)
			return
		}
		tokens, err := vrata.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(cookieValue(r, "code_verifier")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		idToken, _ := tokens.Extra("id_token").(string)
		if _, err := idTokenVerifier.Verify(r.Context(), idToken); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		info, err := provider.UserInfo(r.Context(), vrata.TokenSource(r.Context(), tokens))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		var claims struct{ Name string }
		if err := info.Claims(&claims); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		// Start a session of your app for info.Subject here.
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "Hello, %s", claims.Name)
	})

	log.Println("Open http://localhost:4000/sign-in")
	log.Fatal(http.ListenAndServe("localhost:4000", nil))
}

func setCookie(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

func cookieValue(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
