import type { clientDiagnostics as english } from '../en-US/client-diagnostics.ts'

export const clientDiagnostics: Record<keyof typeof english, string> = {
  title: 'Zavrnjene zahteve',
  text: 'Kaj je šlo narobe v zadnjih sedmih dneh in kako to odpravite.',
  forget: 'Počisti seznam',
  times: '{times, plural, =1 {Enkrat} =2 {Dvakrat} one {#-krat} two {#-krat} few {#-krat} other {#-krat}}',
  add: 'Dodaj',
  added: 'Dodano. Poskusite znova.',
  'ask.title': 'Je ta naslov vaš?',
  'ask.text':
    'Vsakdo lahko pošlje zahtevo s svojim naslovom. Dodajte ga samo, če pripada vaši aplikaciji, saj so tja preusmerjene osebe, ki se prijavijo.',
  'client_disabled.title': 'Aplikacija je izklopljena',
  'client_disabled.text': 'Prijava ni mogoča, dokler je kdo znova ne vklopi.',
  'client_disabled.fix': 'Podrobnosti',
  'client_not_approved.title': 'Aplikacija ni odobrena',
  'client_not_approved.text': 'Prijava ni mogoča, dokler je ne odobri upravljavec te namestitve.',
  'client_not_approved.fix': 'Podrobnosti',
  'redirect_uri.title': 'Ta preusmeritveni naslov ni registriran',
  'redirect_uri.text': 'Registriran mora biti natanko tako, kot ga pošlje aplikacija, do zadnjega znaka.',
  'scope.title': 'Aplikacija prosi za dovoljenje, za katero ne sme prositi',
  'scope.text': 'Dodajte ga med dovoljenja aplikacije ali ga izpustite iz zahteve.',
  'scope.fix': 'Dovoljenja',
  'pkce_missing.title': 'Zahteva ne uporablja PKCE',
  'pkce_missing.text':
    'Z zahtevo pošljite code_challenge in code_challenge_method=S256, s kodo pa code_verifier. Če knjižnica tega ne zna, aplikacija pa ima skrivnost odjemalca, spodaj izklopite »Zahtevaj PKCE«.',
  'pkce_method.title': 'Ta code_challenge_method ni sprejet',
  'pkce_method.text': 'Skupaj s code_challenge pošljite code_challenge_method=S256; plain ni varen.',
  'response_type.title': 'Vrednost response_type manjka ali ni podprta',
  'response_type.text': 'Uporabite response_type=code; žetone nato izda končna točka za žetone.',
  'response_mode.title': 'Ta response_mode ni sprejet',
  'response_mode.text':
    'Če je aplikacija izbrala podpisane odgovore na zahtevo za avtorizacijo, pošljite response_mode=jwt, query.jwt, fragment.jwt ali form_post.jwt. Sicer so sprejeti tudi query, fragment in form_post.',
  'authorization_request.title': 'Parameter zahteve za avtorizacijo manjka ali je napačen',
  'authorization_request.text': 'Zgornja vrstica pove, za kateri parameter gre. Primerjajte zahtevo z dokumentacijo.',
  'post_logout_redirect_uri.title': 'Ta preusmeritveni naslov po odjavi ni registriran',
  'post_logout_redirect_uri.text':
    'Spodaj, pod »Naslovi po odjavi«, mora biti registriran natanko tako, kot ga pošlje aplikacija, do zadnjega znaka.',
  'id_token_hint.title': 'id_token_hint v zahtevi za odjavo ni sprejet',
  'id_token_hint.text':
    'Pošljite nespremenjen žeton ID, ki ga je ta aplikacija prejela od nas. Lahko je že potekel. Zgornja vrstica pove, kaj je narobe.',
  'end_session_request.title': 'Parameter zahteve za odjavo manjka ali je napačen',
  'end_session_request.text': 'Zgornja vrstica pove, za kateri parameter gre. Primerjajte zahtevo z dokumentacijo.',
  'no_access.title': 'Oseba ne sme uporabljati te aplikacije',
  'no_access.text':
    'Dostop do aplikacije na strani s podrobnostmi te osebe ne zajema. Tam ga lahko spremeni nekdo z ravnjo skrbnika; v skupine osebe dodajajo upravljavci.',
  'par_required.title': 'Zahteva za avtorizacijo ni bila poslana vnaprej',
  'par_required.text':
    'Ta aplikacija sprejema samo zahteve, ki jih njen strežnik prej pošlje na /par (PAR). Pošljite jo tako. Če profil FAPI 2.0 ni izbran, lahko to zahtevo tudi izklopite spodaj, pod »Nastavitve za strokovnjake«.',
  'request_uri.title': 'request_uri ne velja več',
  'request_uri.text':
    'Vnaprej poslana zahteva deluje enkrat in eno minuto. Pošljite jo, ko se prijava začne, in za vsako prijavo znova.',
  'request_object.title': 'Podpisana zahteva ni sprejeta',
  'request_object.text':
    'Podpišite jo z registriranim ključem aplikacije, kot prejemnika navedite ta strežnik in določite kratko veljavnost. Če ima aplikacija registriran algoritem, uporabite tega. Zgornja vrstica pove, kaj je narobe.',
  'request_object_missing.title': 'Zahteva za avtorizacijo ni podpisana',
  'request_object_missing.text':
    'Ta aplikacija sprejema samo podpisane zahteve (JAR): vse parametre zapišite v JWT, podpisan z registriranim ključem, in ga pošljite kot request. Lahko pa to zahtevo izklopite spodaj, pod »Nastavitve za strokovnjake«.',
  'request_object_lifetime.title': 'Časi v podpisani zahtevi niso sprejeti',
  'request_object_lifetime.text':
    'Podpisana zahteva mora imeti exp. S profilom FAPI 2.0 mora imeti tudi nbf, ki je trenutni čas, exp pa je največ 60 minut poznejši. Zgornja vrstica pove, kaj je narobe.',
  'resource.title': 'Ta resource aplikaciji ni na voljo',
  'resource.text':
    'resource naj navaja API, ki ga pozna storitev Vrata, zahteva pa naj vsebuje vsaj eno dovoljenje tega API-ja, ki ga je oseba odobrila.',
  'unregistered_client.title': 'Program, ki ga ni nihče registriral, je bil zavrnjen',
  'unregistered_client.text':
    'Zaprosil je za dostop do API-ja te aplikacije. Zgornja vrstica pove, za kateri program gre in kaj je bilo narobe. To mora urediti njegov razvijalec.',
  'origin.title': 'Ta izvor ni registriran',
  'origin.text':
    'Strani, ki v brskalniku zahtevajo žetone ali podatke o uporabniku, morajo biti na registriranem izvoru.',
  'secret_missing.title': 'Aplikacija ni poslala svoje skrivnosti',
  'secret_missing.text':
    'Ta aplikacija se mora overiti: skrivnost odjemalca pošljite v glavi Authorization ali v obrazcu. To lahko spremenite spodaj, pod »Napredno«.',
  'secret_wrong.title': 'Skrivnost odjemalca je napačna',
  'secret_wrong.text': 'Primerjajte njene zadnje štiri znake s tistimi zgoraj ali ustvarite novo skrivnost.',
  'assertion_missing.title': 'Aplikacija se ni overila s svojim ključem',
  'assertion_missing.text':
    'Pošljite client_assertion in client_assertion_type, podpisana z zasebnim ključem aplikacije. Skrivnost ni sprejeta, dokler je spodaj, pod »Nastavitve za strokovnjake«, izbran ta način.',
  'assertion.title': 'client_assertion ni sprejet',
  'assertion.text':
    'Za vsako zahtevo podpišite novega, s ključem, katerega javni del je registriran spodaj: iss in sub sta ID odjemalca, aud je naslov tega strežnika, jti je nov, exp je kmalu. Če ima aplikacija registriran algoritem, uporabite tega. Zgornja vrstica pove, kaj je narobe.',
  'assertion_audience.title': 'client_assertion navaja napačnega prejemnika',
  'assertion_audience.text':
    'S profilom FAPI 2.0 je aud naslov tega strežnika (issuer) kot eno samo besedilo. Brez njega je aud lahko tudi naslov končne točke za žetone. Seznam ni nikoli sprejet.',
  'algorithm.title': 'Ta algoritem podpisa ni sprejet',
  'algorithm.text':
    'Če ima aplikacija registriran algoritem, uporabite tega. S profilom FAPI 2.0 podpisujte client_assertion, zahteve in dokaze DPoP s PS256, ES256 ali EdDSA, ne z RS256.',
  'dpop_missing.title': 'Zahteva nima dokaza DPoP',
  'dpop_missing.text':
    'Žetoni te aplikacije so vezani na ključ: pošljite dokaz v glavi DPoP, tudi z vsakim žetonom na userinfo. Če profil FAPI 2.0 ni izbran, lahko to zahtevo tudi izklopite spodaj, pod »Nastavitve za strokovnjake«.',
  'dpop_proof.title': 'Dokaz DPoP ni sprejet',
  'dpop_proof.text':
    'Za vsako zahtevo ustvarite nov dokaz, vedno z istim ključem: htm in htu sta metoda in naslov klica, iat je trenutni čas. Zgornja vrstica pove, kaj je narobe.',
  'certificate_missing.title': 'Zahteva nima certifikata odjemalca',
  'certificate_missing.text':
    'Ta zahteva potrebuje certifikat TLS aplikacije. Pokličite naslov, ki je v dokumentu discovery pod mtls_endpoint_aliases, če je tam naveden, in predložite certifikat. Če aplikacija to že počne, vprašajte upravljavca tega strežnika, ali ga posredniški strežnik posreduje naprej.',
  'certificate.title': 'Certifikat odjemalca ni sprejet',
  'certificate.text':
    'Predložite certifikat, ki je registriran spodaj, oziroma tistega, na katerega je vezan žeton. Imeti mora registrirano ime; če ga izda overitelj, mora biti to overitelj, ki mu upravljavec tega strežnika zaupa. Zgornja vrstica pove, kaj je narobe.',
  'code.title': 'Avtorizacijska koda ne velja več',
  'code.text': 'Koda deluje enkrat in eno minuto. Zamenjajte jo takoj.',
  'code_verifier.title': 'code_verifier se ne ujema',
  'code_verifier.text':
    'Pošljite natanko besedilo, iz katerega je nastal code_challenge iste prijave, brez ponovnega kodiranja.',
  'redirect_uri_changed.title': 'Preusmeritveni naslov je drugačen kot v zahtevi za avtorizacijo',
  'redirect_uri_changed.text': 'S kodo pošljite enak redirect_uri kot v zahtevi za avtorizacijo.',
  'refresh_token.title': 'Žeton za obnovo ne velja več',
  'refresh_token.text':
    'To je običajno po odjavi ali odvzemu dostopa: začnite novo prijavo. Vsak žeton deluje enkrat, zato vedno shranite najnovejšega.',
  'subject_token.title': 'Žeton za zamenjavo ni sprejet',
  'subject_token.text':
    'Potekel je ali bil preklican, ni žeton za dostop osebe ali pa ni bil izdan aplikaciji vaše organizacije niti za API te storitve. Tudi žetoni oseb, ki jih je vaša organizacija blokirala, niso sprejeti.',
  'grant_type.title': 'Ta grant_type tej aplikaciji ni na voljo',
  'grant_type.text': 'V dokumentaciji preverite, katere vrednosti grant_type lahko uporablja taka aplikacija.',
  'token_request.title': 'Parameter zahteve za žeton manjka ali je napačen',
  'token_request.text': 'Zgornja vrstica pove, za kateri parameter gre. Primerjajte zahtevo z dokumentacijo.',
  'userinfo_token.title': 'Ta žeton za dostop ne deluje na userinfo',
  'userinfo_token.text':
    'Userinfo potrebuje žeton za dostop, ki pripada osebi, z dovoljenjem openid in brez resource. Pošljite ga enkrat, v glavi Authorization ali v obrazcu. Zgornja vrstica pove, kaj je narobe.',
  'token_type.title': 'Te vrste žetona ni mogoče preklicati',
  'token_type.text':
    'Žeton za dostop v obliki JWT velja, dokler ne poteče. Prekličite žeton za obnovo ali spodaj, pod »Nastavitve za strokovnjake«, izberite neprosojne žetone za dostop.',
  'login_hint.title': 'Zahteva ne pove, koga vprašati',
  'login_hint.text':
    'Pošljite natanko enega od parametrov login_hint (e-\u2060naslov ali uporabniško ime) in id_token_hint. login_hint_token ni podprt.',
  'binding_message.title': 'Ta binding_message ni sprejet',
  'binding_message.text': 'Uporabite največ 40 črk, števk, presledkov in preprostih ločil.',
  'requests_waiting.title': 'Preveč zahtev čaka na isto osebo',
  'requests_waiting.text': 'Počakajte, da oseba odgovori ali da zahteve potečejo.',
  'ciba_request.title': 'Parameter zahteve za prijavo manjka ali je napačen',
  'ciba_request.text':
    'Zgornja vrstica pove, za kateri parameter gre. Primerjajte zahtevo na /backchannel_authentication z dokumentacijo.',
  'test.title': 'Preizkus prijave',
  'test.text':
    'V novem oknu vas prijavi z nastavitvami te aplikacije in pokaže, kaj bi aplikacija prejela. Aplikacije same ne pokliče.',
  'test.start': 'Preizkusi prijavo',
  'test.again': 'Poskusi znova',
  'test.waiting':
    'Dokončajte prijavo v drugem oknu. Če je v njem napaka, ga zaprite: razlog je naveden pod Zavrnjene zahteve.',
  'test.stop': 'Ne čakaj več',
  'test.blocked': 'Brskalnik je blokiral okno',
  'test.blocked_text': 'Dovolite pojavna okna za to stran in poskusite znova.',
  'test.insecure': 'Ta stran ni šifrirana',
  'test.insecure_text': 'Brskalniki to dovolijo samo prek https ali na naslovu localhost.',
  'test.failed': 'Prijava ni uspela',
  'test.failed_text': 'Aplikacija bi prejela to napako:',
  'test.denied': 'Dostop ni bil dovoljen',
  'test.denied_text': 'Aplikacija bi prejela to napako in naj ponudi nov poskus:',
  'test.done': 'Prijava deluje',
  'test.done_text': 'Aplikacija {app} bi prejela naslednje.',
  'test.scopes': 'Dovoljenja',
  'test.access_token': 'Žeton za dostop',
  'test.expires_in': 'velja {minutes, plural, one {# minuto} two {# minuti} few {# minute} other {# minut}}',
  'test.id_token': 'Žeton ID',
  'test.header': 'Glava žetona ID',
  'test.userinfo': 'Userinfo',
  'test.no_id_token': 'Žetona ID ni, ker aplikacija ne zahteva dovoljenja openid.',
  'test.return': 'Preizkus je končan',
  'test.return_text': 'To okno lahko zaprete. Izid je na zavihku Razvoj.',
}
