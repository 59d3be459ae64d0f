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
    $_SESSION['authorization'] = ['state' => $vrata->getState(), 'verifier' => $vrata->getPkceCode()];
    header("Location: $url");
    exit;
}

if ($path === '/callback') {
    $authorization = $_SESSION['authorization'] ?? null;
    unset($_SESSION['authorization']);
    if (!isset($_GET['code'], $_GET['state'], $authorization) || !hash_equals($authorization['state'], $_GET['state'])) {
        http_response_code(400);
        exit('The sign-in failed. Try again at /sign-in');
    }
    $vrata->setPkceCode($authorization['verifier']);
    $tokens = $vrata->getAccessToken('authorization_code', ['code' => $_GET['code']]);
    $user = $vrata->getResourceOwner($tokens)->toArray();
    session_regenerate_id(true);
    $_SESSION['user'] = ['sub' => $user['sub'], 'name' => $user['name'] ?? $user['sub']];
    header('Location: /');
    exit;
}

echo isset($_SESSION['user']) ? "Hello, {$_SESSION['user']['name']}" : 'You are not signed in. Open /sign-in';
