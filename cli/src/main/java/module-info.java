/** The {@code relaxvm} command. */
module org.relaxvm.cli {
  requires transitive org.relaxvm.api;
  requires org.relaxvm.compiler;
  requires org.relaxvm.interoponnx;
  requires org.relaxvm.objects;
  requires org.relaxvm.rpc;
  requires org.relaxvm.tir;
  requires transitive org.relaxvm.vmcore;
  requires java.desktop;
  requires jdk.management;
  requires info.picocli;
  requires com.fasterxml.jackson.jr.ob;
  requires static org.jspecify;

  exports org.relaxvm.cli.output;
  exports org.relaxvm.cli.spi;

  uses org.relaxvm.cli.spi.CaseFormat;
  uses org.relaxvm.cli.spi.CommandProvider;

  provides org.relaxvm.cli.spi.CaseFormat with
      org.relaxvm.cli.check.CaseFolderFormat,
      org.relaxvm.cli.check.OnnxCaseFormat,
      org.relaxvm.cli.script.ScriptFormat;

  opens org.relaxvm.cli.command to
      info.picocli;
  opens org.relaxvm.cli.input to
      info.picocli;
  opens org.relaxvm.cli.rpc to
      info.picocli;
}
