// In Xcode: a new iOS app, with the package https://github.com/openid/AppAuth-iOS (File > Add Package Dependencies).
import AppAuth
import SwiftUI

struct SignInView: View {
    @State private var message = ""
    // Kept until the browser returns to the app.
    @State private var flow: OIDExternalUserAgentSession?

    var body: some View {
        VStack(spacing: 16) {
            Button("Sign in with Vrata", action: signIn)
            Text(message)
        }
    }

    private func signIn() {
        let issuer = URL(string: "https://id.example.com")!
        OIDAuthorizationService.discoverConfiguration(forIssuer: issuer) { configuration, error in
            guard let configuration, let window = currentWindow, let screen = window.rootViewController else {
                return show(error)
            }
            // AppAuth adds state, nonce and PKCE.
            let request = OIDAuthorizationRequest(
                configuration: configuration,
                clientId: "YOUR_CLIENT_ID",
                clientSecret: nil,
                scopes: [OIDScopeOpenID, OIDScopeProfile, OIDScopeEmail],
                redirectURL: URL(string: "com.example.app:/callback")!,
                responseType: OIDResponseTypeCode,
                additionalParameters: nil)
            flow = OIDAuthState.authState(byPresenting: request, presenting: screen) { authState, error in
                flow = nil
                guard let authState else { return show(error) }
                greet(authState)
            }
        }
    }

    /// Store `authState` in the keychain: it also renews the tokens.
    private func greet(_ authState: OIDAuthState) {
        authState.performAction { accessToken, _, error in
            let discovery = authState.lastAuthorizationResponse.request.configuration.discoveryDocument
            guard let accessToken, let endpoint = discovery?.userinfoEndpoint else { return show(error) }
            var request = URLRequest(url: endpoint)
            request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "Authorization")
            URLSession.shared.dataTask(with: request) { data, _, error in
                let user = data.flatMap { try? JSONDecoder().decode(User.self, from: $0) }
                DispatchQueue.main.async {
                    guard let user else { return show(error) }
                    message = "Hello, \(user.name ?? user.sub)"
                }
            }.resume()
        }
    }

    private func show(_ error: Error?) {
        message = error?.localizedDescription ?? "Something went wrong"
    }

    private var currentWindow: UIWindow? {
        UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
    }
}

private struct User: Decodable {
    let sub: String
    let name: String?
}
