/** The {@code relaxvm} command. */
module org.relaxvm.cli {
  requires org.relaxvm.api;
  requires org.relaxvm.compiler;
  requires org.relaxvm.tir;
  requires org.relaxvm.vmcore;
  requires java.desktop;
  requires jdk.management;
  requires info.picocli;
  requires com.fasterxml.jackson.jr.ob;
  requires static org.jspecify;

  exports org.relaxvm.cli.output;
  exports org.relaxvm.cli.spi;

  uses org.relaxvm.cli.spi.CommandProvider;

  opens org.relaxvm.cli.command to
      info.picocli;
  opens org.relaxvm.cli.input to
      info.picocli;
}
