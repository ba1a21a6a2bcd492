/** French. */
import type { Texts } from './en.js';

export const fr: Texts = {
  loading: 'Chargement de la double authentification…',
  checking: 'Vérification…',

  enrolTitle: 'Configurer la double authentification',
  enrolLead: 'Scannez cette image avec une application d’authentification sur votre téléphone.',
  enrolApps: 'Compatible avec {apps} et toute autre application qui produit des codes à six chiffres.',
  qrLabel: 'Code QR pour une application d’authentification ; la clé figure dessous en texte',
  openApp: 'Ouvrir dans une application de cet appareil',
  manualSummary: 'Impossible de scanner ?',
  manualLead: 'Saisissez plutôt cette clé dans l’application ; le compte est {identity}.',
  next: 'Continuer',
  back: 'Retour',

  confirmTitle: 'Saisissez le code de l’application',
  confirmLead: 'Il comporte six chiffres et change toutes les 30 secondes.',
  codeLabel: 'Code à six chiffres',
  codeHint: 'Vérifié dès que vous tapez le dernier chiffre.',
  check: 'Vérifier le code',
  incomplete: 'Saisissez le code en entier.',
  wrongCode: 'Ce code n’est pas le bon. Saisissez celui que l’application affiche en ce moment.',
  enrolAgain: 'Cela a pris trop de temps. Scannez cette nouvelle image.',

  savedTitle: 'Conservez vos codes de secours',
  savedLead: 'Sans votre téléphone, chacun vous laisse entrer une fois. Ils ne s’affichent que maintenant.',
  copy: 'Copier',
  download: 'Télécharger',
  saved: 'Je les ai conservés',
  copied: 'Copié',
  notCopied: 'Copier n’est pas permis. Le texte est sélectionné : copiez-le avec le clavier.',

  enterTitle: 'Double authentification',
  enterLead: 'Ouvrez votre application d’authentification et saisissez le code de ce site.',
  useRecovery: 'Utiliser un code de secours',
  recoveryLead: 'Saisissez l’un des codes conservés. Chacun ne sert qu’une fois.',
  recoveryLabel: 'Code de secours',
  wrongRecovery: 'Ce code de secours n’est pas le bon, ou a déjà servi.',

  onTitle: 'La double authentification est activée',
  onLead: 'Votre identité est vérifiée.',
  codesLeft: 'Codes de secours restants : {count}',
  turnOff: 'Désactiver',
  offTitle: 'Désactiver la double authentification ?',
  offLead: 'Ensuite, aucun code de votre téléphone ne sera plus demandé.',
  offCodeLead: 'Saisissez le code de votre application, pour être sûr que c’est vous.',
  keepOn: 'La garder',
  doneTitle: 'La double authentification est désactivée',

  lockedTitle: 'Trop d’essais',
  lockedLead: 'Pour protéger le compte, vous pourrez réessayer dans :',

  unreachableLead: 'Le service est injoignable. Vérifiez votre connexion et réessayez.',
  brokenTitle: 'Cela n’a pas fonctionné',
  brokenLead: 'Un problème est survenu de notre côté. Réessayez dans un instant.',
  misplacedTitle: 'Indisponible sur cette page',
  misplacedLead: 'La double authentification est mal configurée ici. Merci de prévenir les responsables de ce site.',
  signInLead: 'Cette page est restée ouverte trop longtemps. Rechargez-la ou reconnectez-vous.',
  retry: 'Réessayer',
};
