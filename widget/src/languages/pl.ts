/** Polish. */
import type { Texts } from './en.js';

export const pl: Texts = {
  loading: 'Wczytywanie uwierzytelniania dwuskładnikowego…',
  checking: 'Sprawdzanie…',

  enrolTitle: 'Skonfiguruj uwierzytelnianie dwuskładnikowe',
  enrolLead: 'Zeskanuj ten kod QR aplikacją uwierzytelniającą w telefonie.',
  enrolApps: 'Działa z {apps} i każdą inną aplikacją uwierzytelniającą.',
  qrLabel: 'Kod QR dla aplikacji uwierzytelniającej; klucz jest też dostępny jako tekst',
  openApp: 'Otwórz w aplikacji na tym urządzeniu',
  manualSummary: 'Nie możesz go zeskanować?',
  manualLead: 'Zamiast tego wpisz w aplikacji ten klucz. Nazwa konta: {identity}.',
  phoneLead: 'Dodaj to konto do aplikacji uwierzytelniającej na tym telefonie.',
  openPhoneApp: 'Otwórz aplikację uwierzytelniającą',
  scanSummary: 'Zeskanuj innym urządzeniem',
  next: 'Dalej',
  back: 'Wstecz',

  confirmTitle: 'Wpisz kod z aplikacji',
  confirmLead: 'Kod ma sześć cyfr i zmienia się co 30 sekund.',
  codeLabel: 'Sześciocyfrowy kod',
  codeHint: 'Zostanie sprawdzony po wpisaniu ostatniej cyfry.',
  check: 'Sprawdź kod',
  incomplete: 'Wpisz cały kod.',
  wrongCode:
    'Ten kod jest nieprawidłowy lub został już użyty. Wpisz kod, który aplikacja pokazuje teraz, lub poczekaj na następny.',
  enrolAgain: 'Ta konfiguracja wygasła. Usuń konto z aplikacji i dodaj to nowe.',

  savedTitle: 'Zapisz kody odzyskiwania',
  savedLead: 'Każdy kod pozwala raz zalogować się bez telefonu. Nie zobaczysz ich ponownie.',
  copy: 'Kopiuj',
  download: 'Pobierz',
  saved: 'Kody są zapisane',
  copied: 'Skopiowano',
  notCopied: 'Twoja przeglądarka nie pozwala na kopiowanie. Tekst jest zaznaczony; skopiuj go za pomocą klawiatury.',

  enterTitle: 'Uwierzytelnianie dwuskładnikowe',
  enterLead: 'Otwórz aplikację uwierzytelniającą i wpisz kod dla tej witryny.',
  useRecovery: 'Użyj kodu odzyskiwania',
  recoveryLead: 'Wpisz jeden z zapisanych kodów odzyskiwania. Każdy kod działa tylko raz.',
  recoveryLabel: 'Kod odzyskiwania',
  wrongRecovery: 'Ten kod odzyskiwania jest nieprawidłowy lub został już użyty.',

  onTitle: 'Uwierzytelnianie dwuskładnikowe jest włączone',
  onLead: 'Twoja tożsamość została potwierdzona.',
  codesLeft: 'Pozostałe kody odzyskiwania: {count}',
  turnOff: 'Wyłącz',
  offTitle: 'Wyłączyć uwierzytelnianie dwuskładnikowe?',
  offLead: 'Przy logowaniu nie będzie już potrzebny kod.',
  offCodeLead: 'Wpisz kod z aplikacji, aby potwierdzić, że to Ty.',
  keepOn: 'Pozostaw włączone',
  doneTitle: 'Uwierzytelnianie dwuskładnikowe jest wyłączone',

  lockedTitle: 'Zbyt wiele prób',
  lockedLead: 'Aby chronić Twoje konto, kolejna próba będzie możliwa za:',

  unreachableLead: 'Nie można połączyć się z usługą. Sprawdź połączenie i spróbuj ponownie.',
  brokenTitle: 'Coś poszło nie tak',
  brokenLead: 'Problem jest po naszej stronie. Spróbuj ponownie za chwilę.',
  misplacedTitle: 'Niedostępne na tej stronie',
  misplacedLead:
    'Uwierzytelnianie dwuskładnikowe nie jest poprawnie skonfigurowane na tej stronie. Skontaktuj się z pomocą techniczną witryny.',
  signInLead: 'Ta strona wygasła. Odśwież ją lub zaloguj się ponownie.',
  retry: 'Spróbuj ponownie',
};
