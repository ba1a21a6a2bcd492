/** Spanish. */
import type { Texts } from './en.js';

export const es: Texts = {
  loading: 'Cargando la autenticación de dos factores…',
  checking: 'Comprobando…',

  enrolTitle: 'Configurar la autenticación de dos factores',
  enrolLead: 'Escanee este código QR con una aplicación de autenticación en su teléfono.',
  enrolApps: 'Funciona con {apps} y cualquier otra aplicación de autenticación.',
  qrLabel: 'Código QR para una aplicación de autenticación; la clave también está disponible como texto',
  openApp: 'Abrir en una aplicación de este dispositivo',
  manualSummary: '¿No puede escanearlo?',
  manualLead: 'En su lugar, introduzca esta clave en la aplicación. Nombre de la cuenta: {identity}.',
  phoneLead: 'Añada esta cuenta a una aplicación de autenticación en este teléfono.',
  openPhoneApp: 'Abrir su aplicación de autenticación',
  scanSummary: 'Escanear con otro dispositivo',
  next: 'Continuar',
  back: 'Atrás',

  confirmTitle: 'Introduzca el código de su aplicación',
  confirmLead: 'El código tiene seis cifras y cambia cada 30 segundos.',
  codeLabel: 'Código de seis cifras',
  codeHint: 'Se comprueba en cuanto escribe la última cifra.',
  check: 'Comprobar el código',
  incomplete: 'Introduzca el código completo.',
  wrongCode:
    'Este código es incorrecto o ya se ha usado. Introduzca el que su aplicación muestra ahora o espere al siguiente.',
  enrolAgain: 'Esta configuración ha caducado. Elimine la cuenta de su aplicación y añada esta nueva.',

  savedTitle: 'Guarde sus códigos de recuperación',
  savedLead: 'Cada código le permite iniciar sesión una vez sin su teléfono. No se volverán a mostrar.',
  copy: 'Copiar',
  download: 'Descargar',
  saved: 'Los he guardado',
  copied: 'Copiado',
  notCopied: 'Su navegador no permite copiar. El texto está seleccionado; cópielo con el teclado.',

  enterTitle: 'Autenticación de dos factores',
  enterLead: 'Abra su aplicación de autenticación e introduzca el código de este sitio.',
  useRecovery: 'Usar un código de recuperación',
  recoveryLead: 'Introduzca uno de sus códigos de recuperación. Cada código funciona una sola vez.',
  recoveryLabel: 'Código de recuperación',
  wrongRecovery: 'Este código de recuperación es incorrecto o ya se ha usado.',

  onTitle: 'La autenticación de dos factores está activada',
  onLead: 'Su identidad está verificada.',
  codesLeft: 'Códigos de recuperación restantes: {count}',
  turnOff: 'Desactivar',
  offTitle: '¿Desactivar la autenticación de dos factores?',
  offLead: 'Ya no se le pedirá un código al iniciar sesión.',
  offCodeLead: 'Introduzca el código de su aplicación para confirmar que es usted.',
  keepOn: 'Mantener activada',
  doneTitle: 'La autenticación de dos factores está desactivada',

  lockedTitle: 'Demasiados intentos',
  lockedLead: 'Para proteger su cuenta, podrá volver a intentarlo en:',

  unreachableLead: 'No se puede acceder al servicio. Compruebe su conexión e inténtelo de nuevo.',
  brokenTitle: 'Se ha producido un error',
  brokenLead: 'Hay un problema por nuestra parte. Inténtelo de nuevo en unos instantes.',
  misplacedTitle: 'No disponible en esta página',
  misplacedLead:
    'La autenticación de dos factores no está bien configurada en esta página. Póngase en contacto con el soporte del sitio.',
  signInLead: 'Esta página ha caducado. Vuelva a cargarla o inicie sesión de nuevo.',
  retry: 'Reintentar',
};
