/** German. */
import type { Texts } from './en.js';

export const de: Texts = {
  loading: 'Zwei-Faktor-Anmeldung wird geladen…',
  checking: 'Wird geprüft…',

  enrolTitle: 'Zwei-Faktor-Anmeldung einrichten',
  enrolLead: 'Scannen Sie dieses Bild mit einer Authenticator-App auf Ihrem Handy.',
  enrolApps: 'Geeignet sind {apps} und jede andere App, die sechsstellige Codes erzeugt.',
  qrLabel: 'QR-Code für eine Authenticator-App; der Schlüssel steht darunter als Text',
  openApp: 'In einer App auf diesem Gerät öffnen',
  manualSummary: 'Scannen geht nicht?',
  manualLead: 'Geben Sie stattdessen diesen Schlüssel in die App ein; das Konto ist {identity}.',
  next: 'Weiter',
  back: 'Zurück',

  confirmTitle: 'Code aus der App eingeben',
  confirmLead: 'Er hat sechs Ziffern und wechselt alle 30 Sekunden.',
  codeLabel: 'Sechsstelliger Code',
  codeHint: 'Wird geprüft, sobald Sie die letzte Ziffer eingeben.',
  check: 'Code prüfen',
  incomplete: 'Geben Sie den ganzen Code ein.',
  wrongCode: 'Dieser Code stimmt nicht. Geben Sie den ein, den die App jetzt zeigt.',
  enrolAgain: 'Das hat zu lange gedauert. Bitte scannen Sie dieses neue Bild.',

  savedTitle: 'Notfallcodes aufbewahren',
  savedLead: 'Ohne Ihr Handy lässt Sie jeder von ihnen einmal hinein. Sie werden nur jetzt gezeigt.',
  copy: 'Kopieren',
  download: 'Herunterladen',
  saved: 'Ich habe sie gespeichert',
  copied: 'Kopiert',
  notCopied: 'Kopieren ist nicht erlaubt. Der Text ist markiert: Kopieren Sie ihn mit der Tastatur.',

  enterTitle: 'Zwei-Faktor-Anmeldung',
  enterLead: 'Öffnen Sie Ihre Authenticator-App und geben Sie den Code für diese Website ein.',
  useRecovery: 'Notfallcode verwenden',
  recoveryLead: 'Geben Sie einen der gespeicherten Codes ein. Jeder gilt einmal.',
  recoveryLabel: 'Notfallcode',
  wrongRecovery: 'Dieser Notfallcode stimmt nicht oder ist verbraucht.',

  onTitle: 'Zwei-Faktor-Anmeldung ist an',
  onLead: 'Sie sind bestätigt.',
  codesLeft: 'Verbleibende Notfallcodes: {count}',
  turnOff: 'Ausschalten',
  offTitle: 'Zwei-Faktor-Anmeldung ausschalten?',
  offLead: 'Danach wird kein Code von Ihrem Handy mehr verlangt.',
  offCodeLead: 'Geben Sie den Code aus Ihrer App ein, damit sicher ist, dass Sie es sind.',
  keepOn: 'Anlassen',
  doneTitle: 'Zwei-Faktor-Anmeldung ist aus',

  lockedTitle: 'Zu viele Versuche',
  lockedLead: 'Zum Schutz des Kontos ist der nächste Versuch möglich in:',

  unreachableLead: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  brokenTitle: 'Das hat nicht geklappt',
  brokenLead: 'Bei uns stimmt etwas nicht. Versuchen Sie es gleich noch einmal.',
  misplacedTitle: 'Auf dieser Seite nicht verfügbar',
  misplacedLead:
    'Die Zwei-Faktor-Anmeldung ist hier nicht richtig eingerichtet. Bitte sagen Sie es denen, die diese Website betreiben.',
  signInLead: 'Diese Seite war zu lange offen. Laden Sie sie neu oder melden Sie sich noch einmal an.',
  retry: 'Noch einmal versuchen',
};
