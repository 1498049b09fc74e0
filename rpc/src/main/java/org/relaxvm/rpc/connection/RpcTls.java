package org.relaxvm.rpc.connection;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.error.RpcException;

/**
 * Certificates for connections with TLS, from PEM files. Both sides show a certificate, and each
 * trusts those that the certificates of its third file have signed. The client also checks that the
 * certificate of the server is one of the host that it connects to.
 */
public final class RpcTls {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
  private static final char[] NO_PASSWORD = {};
  private static final byte[] NOTHING = {0};

  private RpcTls() {}

  /**
   * Reads certificates.
   *
   * @param certificates the own certificate, then those that signed it
   * @param privateKey of the own certificate: PKCS #8, not encrypted
   * @param trusted certificates that sign those of the other side
   * @throws RpcException a {@code ValueError} or an {@code IOError} when a file is absent or of no
   *     use, with the reason
   */
  public static SSLContext of(Path certificates, Path privateKey, Path trusted) {
    Certificate[] own = read(certificates).toArray(Certificate[]::new);
    PrivateKey key = key(privateKey);
    requireValid(certificates, own[0]);
    requireMatch(certificates, own[0], privateKey, key);
    try {
      KeyStore identity = emptyStore();
      identity.setKeyEntry("own", key, NO_PASSWORD, own);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(identity, NO_PASSWORD);
      KeyStore signers = emptyStore();
      int number = 0;
      for (Certificate signer : read(trusted)) {
        signers.setCertificateEntry("trusted" + number++, signer);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(signers);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new RpcException(
          ErrorKind.VALUE, "the certificates cannot be used: " + e.getMessage(), e);
    }
  }

  /**
   * Reads certificates that a command line or an option names.
   *
   * @param files the three files of {@link #of(Path, Path, Path)}, with commas
   */
  public static SSLContext parse(String files) {
    String[] paths = files.split(",", -1);
    if (paths.length != 3) {
      throw new RpcException(
          ErrorKind.VALUE,
          "TLS needs three files, but got '"
              + files
              + "'\n  expected: CERTIFICATE.pem,KEY.pem,TRUSTED.pem");
    }
    return of(Path.of(paths[0]), Path.of(paths[1]), Path.of(paths[2]));
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static byte[] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new RpcException(ErrorKind.IO, "cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static Collection<? extends Certificate> read(Path file) {
    byte[] content = content(file);
    Collection<? extends Certificate> found;
    try {
      found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(content));
    } catch (CertificateException e) {
      throw noCertificates(file, e);
    }
    if (found.isEmpty()) {
      throw noCertificates(file, null);
    }
    return found;
  }

  private static RpcException noCertificates(Path file, @Nullable CertificateException cause) {
    return new RpcException(
        ErrorKind.VALUE,
        file + " contains no certificate\n  expected: PEM, with -----BEGIN CERTIFICATE-----",
        cause);
  }

  private static PrivateKey key(Path file) {
    String text = new String(content(file), StandardCharsets.ISO_8859_1);
    Matcher matcher = KEY.matcher(text);
    if (!matcher.find()) {
      throw new RpcException(
          ErrorKind.VALUE,
          file + " contains no private key\n  expected: PEM, with -----BEGIN PRIVATE KEY-----");
    }
    String kind = matcher.group(1);
    if (!kind.equals("PRIVATE KEY")) {
      throw new RpcException(
          ErrorKind.VALUE,
          file
              + " contains a key of the form '"
              + kind
              + "'\n  expected: PKCS #8, not encrypted\n  what to do: openssl pkcs8 -topk8 -nocrypt"
              + " -in "
              + file
              + " -out key.pem");
    }
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(matcher.group(2));
    } catch (IllegalArgumentException e) {
      throw new RpcException(ErrorKind.VALUE, file + " contains a key that is no Base64", e);
    }
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (GeneralSecurityException e) {
        // Only the encoding itself says which algorithm it is of.
        continue;
      }
    }
    throw new RpcException(
        ErrorKind.VALUE, file + " contains a key that is none of " + String.join(", ", ALGORITHMS));
  }

  private static void requireValid(Path file, Certificate certificate) {
    if (certificate instanceof X509Certificate x509) {
      try {
        x509.checkValidity();
      } catch (CertificateException e) {
        throw new RpcException(
            ErrorKind.VALUE,
            "the certificate of "
                + file
                + " is valid from "
                + x509.getNotBefore().toInstant()
                + " to "
                + x509.getNotAfter().toInstant()
                + ", which is not now\n  what to do: make a new one",
            e);
      }
    }
  }

  /** A signature of the key is one of the certificate. */
  private static void requireMatch(
      Path certificates, Certificate certificate, Path keyFile, PrivateKey key) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    boolean matches;
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(NOTHING);
      byte[] signature = signer.sign();
      signer.initVerify(certificate.getPublicKey());
      signer.update(NOTHING);
      matches = signer.verify(signature);
    } catch (GeneralSecurityException e) {
      matches = false;
    }
    if (!matches) {
      throw new RpcException(
          ErrorKind.VALUE,
          "the key of " + keyFile + " is not that of the first certificate of " + certificates);
    }
  }
}
