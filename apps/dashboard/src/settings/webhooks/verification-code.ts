import * as strings from '#strings/webhooks';
/** Code that verifies a delivery. `body` is the body of the request as text, before any parsing. */
export const VERIFICATION_EXAMPLES = [
  {
    language: 'Node.js',
    install: 'npm install standardwebhooks',
    code: `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(secret); // whsec_…
// Throws if the signature or the time is not valid.
const event = webhook.verify(body, request.headers);`,
  },
  {
    language: 'Python',
    install: 'pip install standardwebhooks',
    code: `import os
from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# Raises WebhookVerificationError if the signature or the time is not valid.
event = webhook.verify(body, request.headers)`,
  },
  {
    language: 'Go',
    install: 'go get github.com/standard-webhooks/standard-webhooks/libraries/go',
    code: `import (
    "os"

    standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
if err != nil {
    return err
}
// Returns an error if the signature or the time is not valid.
if err := webhook.Verify(body, request.Header); err != nil {
    return err
}`,
  },
  {
    language: 'Ruby',
    install: 'gem install standardwebhooks',
    code: `require "standardwebhooks"

webhook = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))
headers = %w[id timestamp signature].to_h do |name|
  ["webhook-#{name}", request.get_header("HTTP_WEBHOOK_#{name.upcase}")]
end
# Raises WebhookVerificationError if the signature or the time is not valid.
event = webhook.verify(body, headers)`,
  },
  {
    language: 'PHP',
    install: strings.noLibraryNeeded,
    code: `<?php
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'];
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'];
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

$isValid = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE']) as $signature) {
    $isValid = $isValid || hash_equals($expected, $signature);
}
if (!$isValid || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);`,
  },
  {
    language: 'Java',
    install: strings.noLibraryNeeded,
    code: `String signed = id + "." + timestamp + "." + body;
byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
Mac mac = Mac.getInstance("HmacSHA256");
mac.init(new SecretKeySpec(key, "HmacSHA256"));
byte[] expected = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));

boolean isValid = false;
for (String entry : signatureHeader.split(" ")) {
    if (!entry.startsWith("v1,")) continue;
    byte[] given = Base64.getDecoder().decode(entry.substring("v1,".length()));
    isValid |= MessageDigest.isEqual(expected, given);
}
long age = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
if (!isValid || age > 300) throw new SecurityException("Not a valid webhook");`,
  },
] as const;
