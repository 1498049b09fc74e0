package org.relaxvm.cli.rpc;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.RpcTls;
import picocli.CommandLine.Option;

/** What a server and its clients have in common. */
final class AccessOptions {
  @Option(
      names = "--key",
      paramLabel = "NAME",
      description = "Name of the server, which clients must give (default: none).")
  String key = "";

  @Option(
      names = "--token",
      paramLabel = "TEXT",
      description = "Secret that clients must know (default: none).")
  String token = "";

  @Option(
      names = "--tls",
      paramLabel = "FILES",
      description =
          "Use TLS with the files CERTIFICATE.pem,KEY.pem,TRUSTED.pem; both sides need them.")
  @Nullable String tls;

  @Nullable SSLContext certificates() {
    return tls == null ? null : RpcTls.parse(tls);
  }
}
