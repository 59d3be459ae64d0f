<?php
require 'vendor/autoload.php';

use League\OAuth2\Client\Provider\GenericProvider;

session_start();
header('Content-Type: text/plain; charset=utf-8');
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

$vrata = new GenericProvider([
    'clientId' => 'YOUR_CLIENT_ID',
    'clientSecret' => getenv('VRATA_CLIENT_SECRET'),
    'redirectUri' => 'http://localhost:4000/callback',
    'urlAuthorize' => 'https://id.example.com/authorize',
    'urlAccessToken' => 'https://id.example.com/token',
    'urlResourceOwnerDetails' => 'https://id.example.com/userinfo',
    'responseResourceOwnerId' => 'sub',
    'scopes' => 'openid profile email',
    'pkceMethod' => GenericProvider::PKCE_METHOD_S256,
]);

if ($path === '/sign-in') {
    $url = $vrata->getAuthorizationUrl();
    $_SESSION['asked'] = ['state' => $vrata->getState(), 'verifier' => $vrata->getPkceCode()];
    header("Location: $url");
    exit;
}

if ($path === '/callback') {
    $asked = $_SESSION['asked'] ?? null;
    unset($_SESSION['asked']);
    if (!isset($_GET['code'], $_GET['state'], $asked) || !hash_equals($asked['state'], $_GET['state'])) {
        http_response_code(400);
        exit('Nobody was signed in. Start again at /sign-in');
    }
    $vrata->setPkceCode($asked['verifier']);
    $tokens = $vrata->getAccessToken('authorization_code', ['code' => $_GET['code']]);
    $person = $vrata->getResourceOwner($tokens)->toArray();
    session_regenerate_id(true);
    $_SESSION['person'] = ['sub' => $person['sub'], 'name' => $person['name'] ?? $person['sub']];
    header('Location: /');
    exit;
}

echo isset($_SESSION['person']) ? "Hello, {$_SESSION['person']['name']}" : 'Nobody is signed in. Go to /sign-in';
