/** German. */
import type { Texts } from './en.js';

export const de: Texts = {
  loading: 'Zwei-Faktor-Authentifizierung wird geladen…',
  checking: 'Wird geprüft…',

  enrolTitle: 'Zwei-Faktor-Authentifizierung einrichten',
  enrolLead: 'Scannen Sie diesen QR-Code mit einer Authenticator-App auf Ihrem Smartphone.',
  enrolApps: 'Funktioniert mit {apps} und jeder anderen Authenticator-App.',
  qrLabel: 'QR-Code für eine Authenticator-App; den Schlüssel gibt es auch als Text',
  openApp: 'In einer App auf diesem Gerät öffnen',
  manualSummary: 'Sie können ihn nicht scannen?',
  manualLead: 'Geben Sie stattdessen diesen Schlüssel in der App ein. Kontoname: {identity}.',
  phoneLead: 'Fügen Sie dieses Konto einer Authenticator-App auf diesem Smartphone hinzu.',
  openPhoneApp: 'Authenticator-App öffnen',
  scanSummary: 'Mit einem anderen Gerät scannen',
  next: 'Weiter',
  back: 'Zurück',

  confirmTitle: 'Code aus Ihrer App eingeben',
  confirmLead: 'Der Code hat sechs Ziffern und ändert sich alle 30 Sekunden.',
  codeLabel: 'Sechsstelliger Code',
  codeHint: 'Wird geprüft, sobald Sie die letzte Ziffer eingeben.',
  check: 'Code prüfen',
  incomplete: 'Geben Sie den vollständigen Code ein.',
  wrongCode:
    'Dieser Code ist falsch oder wurde schon verwendet. Geben Sie den Code ein, den Ihre App jetzt anzeigt, oder warten Sie auf den nächsten.',
  enrolAgain:
    'Diese Einrichtung ist abgelaufen. Entfernen Sie das Konto aus Ihrer App und fügen Sie dieses neue hinzu.',

  savedTitle: 'Notfallcodes speichern',
  savedLead:
    'Mit jedem Code können Sie sich einmal ohne Ihr Smartphone anmelden. Die Codes werden nicht noch einmal angezeigt.',
  copy: 'Kopieren',
  download: 'Herunterladen',
  saved: 'Ich habe sie gespeichert',
  copied: 'Kopiert',
  notCopied: 'Ihr Browser erlaubt das Kopieren nicht. Der Text ist markiert; kopieren Sie ihn mit der Tastatur.',

  enterTitle: 'Zwei-Faktor-Authentifizierung',
  enterLead: 'Öffnen Sie Ihre Authenticator-App und geben Sie den Code für diese Website ein.',
  useRecovery: 'Notfallcode verwenden',
  recoveryLead: 'Geben Sie einen Ihrer gespeicherten Notfallcodes ein. Jeder Code funktioniert einmal.',
  recoveryLabel: 'Notfallcode',
  wrongRecovery: 'Dieser Notfallcode ist falsch oder wurde schon verwendet.',

  onTitle: 'Zwei-Faktor-Authentifizierung ist eingeschaltet',
  onLead: 'Ihre Identität ist bestätigt.',
  codesLeft: 'Verbleibende Notfallcodes: {count}',
  turnOff: 'Ausschalten',
  offTitle: 'Zwei-Faktor-Authentifizierung ausschalten?',
  offLead: 'Bei der Anmeldung wird dann kein Code mehr verlangt.',
  offCodeLead: 'Geben Sie den Code aus Ihrer App ein, um zu bestätigen, dass Sie es sind.',
  keepOn: 'Eingeschaltet lassen',
  doneTitle: 'Zwei-Faktor-Authentifizierung ist ausgeschaltet',

  lockedTitle: 'Zu viele Versuche',
  lockedLead: 'Zum Schutz Ihres Kontos ist der nächste Versuch möglich in:',

  unreachableLead: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  brokenTitle: 'Etwas ist schiefgelaufen',
  brokenLead: 'Bei uns ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
  misplacedTitle: 'Auf dieser Seite nicht verfügbar',
  misplacedLead:
    'Die Zwei-Faktor-Authentifizierung ist auf dieser Seite nicht richtig eingerichtet. Bitte wenden Sie sich an den Support der Website.',
  signInLead: 'Diese Seite ist abgelaufen. Laden Sie sie neu oder melden Sie sich noch einmal an.',
  retry: 'Noch einmal versuchen',
};
