package client;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.pac4j.core.config.Config;
import org.pac4j.core.profile.ProfileManager;
import org.pac4j.jee.context.JEEContext;
import org.pac4j.jee.context.session.JEESessionStore;
import org.pac4j.jee.filter.CallbackFilter;
import org.pac4j.jee.filter.LogoutFilter;
import org.pac4j.jee.filter.SecurityFilter;
import org.pac4j.oidc.client.OidcClient;
import org.pac4j.oidc.config.OidcConfiguration;
import org.pac4j.oidc.profile.OidcProfile;

/** The three filters of jakartaee-pac4j with an OidcClient, as the documentation of pac4j has them, in Jetty. */
public class Client {

  public static void main(String[] args) throws Exception {
    var port = Integer.parseInt(System.getenv("PORT"));
    var home = "http://localhost:" + port;

    var oidc = new OidcConfiguration();
    oidc.setClientId(System.getenv("CLIENT_ID"));
    oidc.setSecret(System.getenv("CLIENT_SECRET"));
    oidc.setDiscoveryURI(System.getenv("ISSUER") + "/.well-known/openid-configuration");
    // Renews the profile with the refresh token when the access token is about to expire.
    oidc.setExpireSessionWithToken(true);
    oidc.setTokenExpirationAdvance(60);
    var config = new Config(home + "/callback", new OidcClient(oidc));

    var logout = new LogoutFilter(config, home + "/");
    logout.setCentralLogout(true);
    logout.setLogoutUrlPattern(".*");

    var context = new ServletContextHandler(ServletContextHandler.SESSIONS);
    var requests = EnumSet.of(DispatcherType.REQUEST);
    for (var path : new String[] { "/user", "/renew" })
      context.addFilter(new FilterHolder(new SecurityFilter(config, "OidcClient")), path, requests);
    context.addFilter(new FilterHolder(new CallbackFilter(config, "/user")), "/callback", requests);
    context.addFilter(new FilterHolder(logout), "/sign-out", requests);
    for (var path : new String[] { "", "/user", "/renew" })
      context.addServlet(new ServletHolder(new Page(config)), path);

    var server = new Server(new InetSocketAddress("localhost", port));
    server.setHandler(context);
    server.start();
  }

  static class Page extends HttpServlet {

    private final Config config;

    Page(Config config) {
      this.config = config;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      var profiles = new ProfileManager(new JEEContext(request, response), new JEESessionStore());
      profiles.setConfig(config);
      var profile = profiles.getProfile(OidcProfile.class);
      response.setContentType("text/html; charset=utf-8");
      response.getWriter().print(profile.isEmpty() ? "<p>Signed out</p><a href=\"/user\">Sign in</a>"
          : "<p>%s</p><p>%s</p><code>%s</code><a href=\"/renew\">Renew</a> <a href=\"/sign-out\">Sign out</a>".formatted(
              profile.get().getDisplayName(), profile.get().getEmail(), profile.get().getAccessToken().getValue()));
    }

  }

}
