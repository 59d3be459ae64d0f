import SwiftUI

@main
struct VrataApp: App {
    var body: some Scene {
        WindowGroup { SignInView() }
    }
}
