// The example of the README of go-oidc, with PKCE as the example of golang.org/x/oauth2 has it.
package main

import (
	"context"
	"fmt"
	"html"
	"log"
	"net/http"
	"net/url"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

type user struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// The session of the one user of this program.
var session struct {
	tokens *oauth2.Token
	user   user
}

func main() {
	ctx := context.Background()
	home := "http://localhost:" + os.Getenv("PORT")
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	var metadata struct {
		EndSessionEndpoint string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&metadata); err != nil {
		log.Fatal(err)
	}
	oauth2Config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  home + "/callback",
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: oauth2Config.ClientID})
	state, codeVerifier := "", ""

	http.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if session.tokens == nil {
			fmt.Fprint(w, `<p>Signed out</p><a href="/sign-in">Sign in</a>`)
			return
		}
		fmt.Fprintf(w, `<p>%s</p><p>%s</p><code>%s</code><a href="/renew">Renew</a> <a href="/sign-out">Sign out</a>`,
			html.EscapeString(session.user.Name), html.EscapeString(session.user.Email), session.tokens.AccessToken)
	})

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, codeVerifier = oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		http.Redirect(w, r, oauth2Config.AuthCodeURL(state, oauth2.S256ChallengeOption(codeVerifier)), http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("state") != state {
			http.Error(w, "state did not match", http.StatusBadRequest)
			return
		}
		tokens, err := oauth2Config.Exchange(ctx, r.URL.Query().Get("code"), oauth2.VerifierOption(codeVerifier))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		rawIDToken, _ := tokens.Extra("id_token").(string)
		idToken, err := verifier.Verify(ctx, rawIDToken)
		if err == nil {
			err = idToken.Claims(&session.user)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		session.tokens = tokens
		http.Redirect(w, r, "/", http.StatusFound)
	})

	http.HandleFunc("/renew", func(w http.ResponseWriter, r *http.Request) {
		expired := &oauth2.Token{RefreshToken: session.tokens.RefreshToken}
		tokens, err := oauth2Config.TokenSource(ctx, expired).Token()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		session.tokens = tokens
		http.Redirect(w, r, "/", http.StatusFound)
	})

	http.HandleFunc("/sign-out", func(w http.ResponseWriter, r *http.Request) {
		idToken, _ := session.tokens.Extra("id_token").(string)
		session.tokens = nil
		query := url.Values{"id_token_hint": {idToken}, "post_logout_redirect_uri": {home + "/"}}
		http.Redirect(w, r, metadata.EndSessionEndpoint+"?"+query.Encode(), http.StatusFound)
	})

	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
