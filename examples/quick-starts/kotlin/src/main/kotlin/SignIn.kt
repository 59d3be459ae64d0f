import com.nimbusds.jose.JWSAlgorithm
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant
import com.nimbusds.oauth2.sdk.ResponseType
import com.nimbusds.oauth2.sdk.Scope
import com.nimbusds.oauth2.sdk.TokenRequest
import com.nimbusds.oauth2.sdk.id.ClientID
import com.nimbusds.oauth2.sdk.id.Issuer
import com.nimbusds.oauth2.sdk.id.State
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier
import com.nimbusds.openid.connect.sdk.AuthenticationRequest
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser
import com.nimbusds.openid.connect.sdk.Nonce
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser
import com.nimbusds.openid.connect.sdk.UserInfoRequest
import com.nimbusds.openid.connect.sdk.UserInfoResponse
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator
import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.net.URI
import java.util.concurrent.CompletableFuture

fun main() {
    val vrata = OIDCProviderMetadata.resolve(Issuer("https://id.example.com"))
    val clientId = ClientID("YOUR_CLIENT_ID")

    // Any free port: for native apps, Vrata ignores the port of a redirect URI on 127.0.0.1 (RFC 8252).
    val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
    val redirectUri = URI("http://127.0.0.1:${server.address.port}/callback")
    val callback = CompletableFuture<URI>()
    server.createContext("/callback") { exchange ->
        val page = "You can close this page and go back to the app.".toByteArray()
        exchange.sendResponseHeaders(200, page.size.toLong())
        exchange.responseBody.use { it.write(page) }
        callback.complete(redirectUri.resolve(exchange.requestURI))
    }
    server.start()

    val state = State()
    val nonce = Nonce()
    val codeVerifier = CodeVerifier()
    val request = AuthenticationRequest.Builder(ResponseType.CODE, Scope("openid", "profile", "email"), clientId, redirectUri)
        .endpointURI(vrata.authorizationEndpointURI)
        .state(state)
        .nonce(nonce)
        .codeChallenge(codeVerifier, CodeChallengeMethod.S256)
        .build()
    println("Open this address to sign in:\n${request.toURI()}")

    val response = AuthenticationResponseParser.parse(callback.get())
    server.stop(0)
    check(response.state == state) { "state does not match" }
    check(response.indicatesSuccess()) { response.toErrorResponse().errorObject.toString() }

    val grant = AuthorizationCodeGrant(response.toSuccessResponse().authorizationCode, redirectUri, codeVerifier)
    val tokenResponse = OIDCTokenResponseParser.parse(
        TokenRequest.Builder(vrata.tokenEndpointURI, clientId, grant).build().toHTTPRequest().send(),
    )
    check(tokenResponse.indicatesSuccess()) { tokenResponse.toErrorResponse().errorObject.toString() }
    val tokens = (tokenResponse.toSuccessResponse() as OIDCTokenResponse).oidcTokens
    val idToken = IDTokenValidator(vrata.issuer, clientId, JWSAlgorithm.RS256, vrata.jwkSetURI.toURL())
        .validate(tokens.idToken, nonce)

    val userInfoResponse = UserInfoResponse.parse(
        UserInfoRequest(vrata.userInfoEndpointURI, tokens.accessToken).toHTTPRequest().send(),
    )
    check(userInfoResponse.indicatesSuccess()) { userInfoResponse.toErrorResponse().errorObject.toString() }
    val user = userInfoResponse.toSuccessResponse().userInfo
    check(user.subject == idToken.subject) { "The user info is of another user" }
    println("Hello, ${user.name ?: user.subject}")
}
