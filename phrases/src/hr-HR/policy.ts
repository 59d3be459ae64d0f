import type { policy as english } from '../en-US/policy.ts'

export const policy: Record<keyof typeof english, string> = {
  'problem.registration_closed':
    'S tom adresom ovdje nije moguće otvoriti račun. Za pozivnicu se obratite upraviteljima ove usluge.',
  'problem.limit_reached':
    '{of, select, organizations {Dosegli ste najveći broj organizacija po osobi ({limit}). Izbrišite onu koja vam više ne treba.} clients {Organizacija je dosegla najveći broj aplikacija ({limit}). Izbrišite onu koja vam više ne treba.} members {Organizacija je dosegla najveći broj članova i pozivnica ({limit}). Najprije nekoga uklonite.} invitations {Poslali ste najveći dopušteni broj pozivnica na dan ({limit}). Pokušajte ponovno sutra.} other {Dosegnuto je ograničenje. Uklonite nešto što vam više ne treba.}}',
  'problem.sign_in_method_off': 'Ovaj način prijave isključen je. Upotrijebite drugi.',
}
