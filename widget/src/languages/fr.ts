/** French. */
import type { Texts } from './en.js';

export const fr: Texts = {
  loading: 'Chargement de la double authentification…',
  checking: 'Vérification…',

  enrolTitle: 'Configurer la double authentification',
  enrolLead: 'Scannez ce QR code avec une application d’authentification sur votre téléphone.',
  enrolApps: 'Compatible avec {apps} et toute autre application d’authentification.',
  qrLabel: 'QR code pour une application d’authentification (la clé existe aussi sous forme de texte)',
  openApp: 'Ouvrir dans une application sur cet appareil',
  manualSummary: 'Impossible de le scanner\u00a0?',
  manualLead: 'Saisissez plutôt cette clé dans l’application. Nom du compte\u00a0: {identity}.',
  phoneLead: 'Ajoutez ce compte à une application d’authentification sur ce téléphone.',
  openPhoneApp: 'Ouvrir votre application d’authentification',
  scanSummary: 'Scanner avec un autre appareil',
  next: 'Continuer',
  back: 'Retour',

  confirmTitle: 'Saisissez le code de votre application',
  confirmLead: 'Le code comporte six chiffres et change toutes les 30 secondes.',
  codeLabel: 'Code à six chiffres',
  codeHint: 'Vérifié dès que vous tapez le dernier chiffre.',
  check: 'Vérifier le code',
  incomplete: 'Saisissez le code en entier.',
  wrongCode:
    'Ce code est incorrect ou a déjà été utilisé. Saisissez celui que votre application affiche maintenant, ou attendez le suivant.',
  enrolAgain: 'Cette configuration a expiré. Supprimez le compte de votre application et ajoutez ce nouveau compte.',

  savedTitle: 'Enregistrez vos codes de secours',
  savedLead: 'Chaque code vous permet de vous connecter une fois sans votre téléphone. Ils ne s’afficheront plus.',
  copy: 'Copier',
  download: 'Télécharger',
  saved: 'Je les ai enregistrés',
  copied: 'Copié',
  notCopied: 'Votre navigateur n’autorise pas la copie. Le texte est sélectionné\u00a0; copiez-le avec le clavier.',

  enterTitle: 'Double authentification',
  enterLead: 'Ouvrez votre application d’authentification et saisissez le code de ce site.',
  useRecovery: 'Utiliser un code de secours',
  recoveryLead: 'Saisissez l’un de vos codes de secours. Chaque code ne fonctionne qu’une fois.',
  recoveryLabel: 'Code de secours',
  wrongRecovery: 'Ce code de secours est incorrect ou a déjà été utilisé.',

  onTitle: 'La double authentification est activée',
  onLead: 'Votre identité est vérifiée.',
  codesLeft: 'Codes de secours restants\u00a0: {count}',
  turnOff: 'Désactiver',
  offTitle: 'Désactiver la double authentification\u00a0?',
  offLead: 'Aucun code ne vous sera plus demandé à la connexion.',
  offCodeLead: 'Saisissez le code de votre application pour confirmer qu’il s’agit bien de vous.',
  keepOn: 'La garder activée',
  doneTitle: 'La double authentification est désactivée',

  lockedTitle: 'Trop de tentatives',
  lockedLead: 'Pour protéger votre compte, vous pourrez réessayer dans\u00a0:',

  unreachableLead: 'Le service est inaccessible. Vérifiez votre connexion et réessayez.',
  brokenTitle: 'Une erreur s’est produite',
  brokenLead: 'Le problème vient de notre côté. Réessayez dans un instant.',
  misplacedTitle: 'Indisponible sur cette page',
  misplacedLead:
    'La double authentification est mal configurée sur cette page. Veuillez contacter l’assistance du site.',
  signInLead: 'Cette page a expiré. Rechargez-la ou reconnectez-vous.',
  retry: 'Réessayer',
};
