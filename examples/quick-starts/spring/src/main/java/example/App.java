package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

// Spring Security protects every page: it sends visitors to Vrata
// and keeps the signed-in user in the session.
@SpringBootApplication
@RestController
public class App {

  public static void main(String[] args) {
    SpringApplication.run(App.class, args);
  }

  @GetMapping(path = "/", produces = "text/plain; charset=utf-8")
  String hello(@AuthenticationPrincipal OidcUser user) {
    // user.getSubject() identifies the user in your app.
    return "Hello, " + user.getFullName();
  }
}
