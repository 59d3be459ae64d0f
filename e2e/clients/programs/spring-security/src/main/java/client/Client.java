package client;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** OAuth 2.0 login and RP-Initiated Logout as the reference of Spring Security has them. */
@SpringBootApplication
@RestController
public class Client {

  public static void main(String[] args) {
    SpringApplication.run(Client.class, args);
  }

  @Bean
  SecurityFilterChain filterChain(HttpSecurity http, ClientRegistrationRepository registrations) throws Exception {
    var signOut = new OidcClientInitiatedLogoutSuccessHandler(registrations);
    signOut.setPostLogoutRedirectUri("{baseUrl}/");
    return http.authorizeHttpRequests((requests) -> requests.requestMatchers("/").permitAll().anyRequest().authenticated())
      .oauth2Login(Customizer.withDefaults())
      .oauth2Client(Customizer.withDefaults())
      .logout((logout) -> logout.logoutSuccessHandler(signOut))
      .build();
  }

  @GetMapping(value = "/", produces = "text/html; charset=utf-8")
  ResponseEntity<String> home(@AuthenticationPrincipal OidcUser user) {
    return user == null ? ResponseEntity.ok("<p>Signed out</p><a href=\"/user\">Sign in</a>")
        : ResponseEntity.status(303).header("Location", "/user").build();
  }

  /** The library renews an access token that expires within a minute when it is asked for it. */
  @GetMapping(value = { "/user", "/renew" }, produces = "text/html; charset=utf-8")
  String user(@AuthenticationPrincipal OidcUser user,
      @RegisteredOAuth2AuthorizedClient("vrata") OAuth2AuthorizedClient client) {
    return "<p>%s</p><p>%s</p><code>%s</code><a href=\"/renew\">Renew</a> <a href=\"/logout\">Sign out</a>".formatted(
        HtmlUtils.htmlEscape(user.getFullName(), "utf-8"), HtmlUtils.htmlEscape(user.getEmail()),
        client.getAccessToken().getTokenValue());
  }

}
