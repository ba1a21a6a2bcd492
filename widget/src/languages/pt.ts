/** Brazilian Portuguese. */
import type { Texts } from './en.js';

export const pt: Texts = {
  loading: 'Carregando a autenticação de dois fatores…',
  checking: 'Verificando…',

  enrolTitle: 'Configurar a autenticação de dois fatores',
  enrolLead: 'Leia este código QR com um app autenticador no seu telefone.',
  enrolApps: 'Funciona com {apps} e qualquer outro app autenticador.',
  qrLabel: 'Código QR para um app autenticador; a chave também está disponível como texto',
  openApp: 'Abrir em um app neste dispositivo',
  manualSummary: 'Não consegue ler o código?',
  manualLead: 'Em vez disso, digite esta chave no app. Nome da conta: {identity}.',
  phoneLead: 'Adicione esta conta a um app autenticador neste telefone.',
  openPhoneApp: 'Abrir seu app autenticador',
  scanSummary: 'Ler com outro dispositivo',
  next: 'Continuar',
  back: 'Voltar',

  confirmTitle: 'Digite o código do seu app',
  confirmLead: 'O código tem seis dígitos e muda a cada 30 segundos.',
  codeLabel: 'Código de seis dígitos',
  codeHint: 'É verificado assim que você digita o último dígito.',
  check: 'Verificar o código',
  incomplete: 'Digite o código completo.',
  wrongCode:
    'Este código está incorreto ou já foi usado. Digite o código que seu app mostra agora ou espere o próximo.',
  enrolAgain: 'Esta configuração expirou. Remova a conta do seu app e adicione esta nova.',

  savedTitle: 'Guarde seus códigos de recuperação',
  savedLead: 'Cada código permite entrar uma vez sem o seu telefone. Eles não serão mostrados novamente.',
  copy: 'Copiar',
  download: 'Baixar',
  saved: 'Já guardei os códigos',
  copied: 'Copiado',
  notCopied: 'Seu navegador não permite copiar. O texto está selecionado; copie-o com o teclado.',

  enterTitle: 'Autenticação de dois fatores',
  enterLead: 'Abra seu app autenticador e digite o código deste site.',
  useRecovery: 'Usar um código de recuperação',
  recoveryLead: 'Digite um dos seus códigos de recuperação. Cada código funciona uma única vez.',
  recoveryLabel: 'Código de recuperação',
  wrongRecovery: 'Este código de recuperação está incorreto ou já foi usado.',

  onTitle: 'A autenticação de dois fatores está ativada',
  onLead: 'Sua identidade foi verificada.',
  codesLeft: 'Códigos de recuperação restantes: {count}',
  turnOff: 'Desativar',
  offTitle: 'Desativar a autenticação de dois fatores?',
  offLead: 'Você não precisará mais de um código para entrar.',
  offCodeLead: 'Digite o código do seu app para confirmar que é você.',
  keepOn: 'Manter ativada',
  doneTitle: 'A autenticação de dois fatores está desativada',

  lockedTitle: 'Muitas tentativas',
  lockedLead: 'Para proteger sua conta, você poderá tentar novamente em:',

  unreachableLead: 'Não foi possível acessar o serviço. Verifique sua conexão e tente novamente.',
  brokenTitle: 'Algo deu errado',
  brokenLead: 'Há um problema do nosso lado. Tente novamente em instantes.',
  misplacedTitle: 'Indisponível nesta página',
  misplacedLead:
    'A autenticação de dois fatores não está configurada corretamente nesta página. Entre em contato com o suporte do site.',
  signInLead: 'Esta página expirou. Recarregue-a ou entre novamente.',
  retry: 'Tentar novamente',
};
