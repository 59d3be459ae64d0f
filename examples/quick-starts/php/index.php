<?php
require 'vendor/autoload.php';

use Jumbojett\OpenIDConnectClient;

session_start();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if ($path === '/sign-in' || $path === '/callback') {
    $vrata = new OpenIDConnectClient('https://id.example.com', 'YOUR_CLIENT_ID', getenv('VRATA_CLIENT_SECRET'));
    $vrata->setRedirectURL('http://localhost:4000/callback');
    $vrata->addScope(['profile', 'email']);
    $vrata->setCodeChallengeMethod('S256');
    $vrata->setHttpUpgradeInsecureRequests(false); // while Vrata runs on http
    $vrata->authenticate();
    $person = $vrata->requestUserInfo();
    session_regenerate_id(true);
    $_SESSION['person'] = ['sub' => $person->sub, 'name' => $person->name ?? $person->sub];
    header('Location: /');
    exit;
}

header('Content-Type: text/plain; charset=utf-8');
echo isset($_SESSION['person']) ? "Hello, {$_SESSION['person']['name']}" : 'Nobody is signed in. Go to /sign-in';
