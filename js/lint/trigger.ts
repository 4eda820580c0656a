const WORDS =
  /\b(when(ever)?|use (this|it|for|to|after|before|if|in|on|with)|used? (for|to)|triggers?|if (the|a|you|someone)|for (any|all|every)|before|after|while|during|ask(s|ed)? (for|to|about)|mentions?)\b/i;
const OTHERS =
  /(当|適用|适用|用于|使用场景|触发|如果|需要|時に|とき|場合|際に|使う|때|경우|사용|cuando|si |para |usar |quand|lorsque|pour |utilise|wenn|falls|sobald|für |beim |nach |quando|se |когда|если|для |при |olduğunda|için|kiedy|gdy|عند|إذا|जब|के लिए|เมื่อ|khi )/i;

/** Whether a description says when to use the skill, in any of the languages we know the words in. */
export function saysWhen(text: string): boolean {
  return WORDS.test(text) || OTHERS.test(text);
}
