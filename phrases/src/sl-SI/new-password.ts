import type { newPassword as english } from '../en-US/new-password.ts'

export const newPassword: Record<keyof typeof english, string> = {
  title: 'Nastavitev novega gesla',
  text: 'Za vaš račun Vrata.',
  for: 'Za račun {email}',
  do: 'Shrani geslo',
  code: 'Koda iz aplikacije za preverjanje pristnosti ali rezervna koda',
  code_hint: 'Za ta račun je vklopljena prijava v dveh korakih.',
  code_if_on: 'Samo če je za ta račun vklopljena prijava v dveh korakih.',
  done: 'Geslo je spremenjeno. Prijavite se z novim.',
  bad_text: 'Povezave veljajo 30 minut in delujejo samo enkrat. Če ste novo geslo že shranili, se prijavite z njim.',
  maybe: 'Novo geslo je morda že shranjeno',
  maybe_text:
    'Na enega od poskusov ni bilo odgovora, povezava pa ne deluje več. Poskusite se prijaviti z novim geslom. Če vam ne uspe, zahtevajte novo povezavo.',
  new_link: 'Pošlji novo povezavo',
  'change.title': 'Sprememba gesla',
  'change.text': 'Vse druge naprave bodo odjavljene.',
  'change.do': 'Shrani geslo',
  'change.done': 'Geslo je spremenjeno. Druge naprave so odjavljene.',
  'meter.repeats': 'vzorec se ponavlja',
  'meter.run': 'znaki si sledijo v preprostem zaporedju',
  'meter.address': 'to je vaš e-\u2060naslov',
  'meter.own': 'vsebuje vaše ime, e-\u2060naslov ali besedo Vrata',
  'meter.plain': 'premalo različnih znakov',
  'meter.common': 'je med najpogostejšimi gesli',
  'meter.words': 'pogoste besede je lahko uganiti',
}
