#:sdk Microsoft.NET.Sdk.Web
#:package Microsoft.AspNetCore.Authentication.OpenIdConnect@10.0.*

using System.Security.Claims;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.WebHost.UseUrls("http://localhost:4000");
builder.Services.AddAuthorization();
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = "https://id.example.com";
        options.RequireHttpsMetadata = false; // while Vrata runs on http
        options.ClientId = "YOUR_CLIENT_ID";
        options.ClientSecret = Environment.GetEnvironmentVariable("VRATA_CLIENT_SECRET");
        options.CallbackPath = "/callback";
        options.ResponseType = OpenIdConnectResponseType.Code;
        options.ResponseMode = OpenIdConnectResponseMode.Query;
        options.Scope.Add("email");
        options.GetClaimsFromUserInfoEndpoint = true;
        // Claims keep the names that they have in OpenID Connect.
        options.MapInboundClaims = false;
        options.TokenValidationParameters.NameClaimType = "name";
    });

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();

// user.FindFirst("sub") identifies the user in your app.
app.MapGet("/sign-in", (ClaimsPrincipal user) => $"Hello, {user.Identity?.Name}").RequireAuthorization();
app.Run();
