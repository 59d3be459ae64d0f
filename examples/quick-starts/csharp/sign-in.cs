#:package Duende.IdentityModel.OidcClient@7.1.0

using System.Net;
using System.Net.Sockets;
using System.Text;
using Duende.IdentityModel.OidcClient;

// Any free port: for native apps, Vrata ignores the port of a redirect URI on 127.0.0.1 (RFC 8252).
var probe = new TcpListener(IPAddress.Loopback, 0);
probe.Start();
var port = ((IPEndPoint)probe.LocalEndpoint).Port;
probe.Stop();

var vrata = new OidcClient(new OidcClientOptions
{
    Authority = "https://id.example.com",
    ClientId = "YOUR_CLIENT_ID",
    Scope = "openid profile email",
    RedirectUri = $"http://127.0.0.1:{port}/callback",
});

using var listener = new HttpListener();
listener.Prefixes.Add($"http://127.0.0.1:{port}/callback/");
listener.Start();

var state = await vrata.PrepareLoginAsync();
Console.WriteLine($"Open this address to sign in:\n{state.StartUrl}");

var context = await listener.GetContextAsync();
await context.Response.OutputStream.WriteAsync(
    Encoding.UTF8.GetBytes("You can close this page and go back to the app."));
context.Response.Close();

var result = await vrata.ProcessResponseAsync(context.Request.Url!.AbsoluteUri, state);
if (result.IsError) throw new Exception($"{result.Error} {result.ErrorDescription}");
Console.WriteLine($"Hello, {result.User.FindFirst("name")?.Value ?? result.User.FindFirst("sub")?.Value}");
