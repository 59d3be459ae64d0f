import type { device as english } from '../en-US/device.ts'

export const device: Record<keyof typeof english, string> = {
  title: 'Povežite uređaj',
  text: 'Televizor, terminal ili drugi uređaj prikazuje kod. Upišite ga ovdje i dopustite uređaju da koristi vaš račun.',
  code: 'Kod na uređaju',
  code_hint: 'Osam slova. Crtica se dodaje automatski.',
  compare: 'Nastavite samo ako vaš uređaj upravo sada prikazuje točno ovaj kod.',
  code_invalid: 'Upišite svih osam slova koda.',
  go_on: 'Nastavi',
  unknown: 'Nijedan uređaj ne prikazuje ovaj kod. Provjerite svako slovo.',
  ended: 'Ovaj kod više ne vrijedi. Kod vrijedi deset minuta, samo jednom i za jedan račun. Na uređaju prikažite novi.',
  same: 'Je li to kod na vašem uređaju?',
  warning:
    'Dopustite samo ako ste to upravo sami pokrenuli, na svojem uređaju. Nikome tko vas zove ili vam piše to nije potrebno.',
  what: 'Uređaj',
  place: 'Lokacija',
  address: 'IP adresa',
  when: 'Zatraženo',
  deny: 'Odbij',
  'allowed.title': 'Uređaj je povezan',
  'allowed.text':
    'Za nekoliko će sekundi automatski nastaviti, a ovu stranicu možete zatvoriti. Pristup traje dok se ne odjavite iz ovog preglednika ili ne uklonite aplikaciju na stranici Povezane aplikacije.',
  'denied.title': 'Odbijeno',
  'denied.text': 'Uređaj nema pristup. Ako vam je netko poslao taj kod, pokušao je ući u vaš račun.',
  apps: 'Pogledaj povezane aplikacije',
}
