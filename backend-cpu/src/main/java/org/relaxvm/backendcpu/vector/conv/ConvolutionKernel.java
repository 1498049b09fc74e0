package org.relaxvm.backendcpu.vector.conv;

import org.relaxvm.api.DType;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Window;
import org.relaxvm.backendcpu.vector.gemm.ProductConvolution;

/**
 * {@code relaxvm.conv2d} in vector code. Vectors run along output channels where the weights are
 * constant, so that panels of them can be kept, else along positions; many windows of 3 x 3 are
 * transformed. What is good for none of it, such as float64, is a matrix product. Keeps scratch
 * memory; thread-safe.
 */
public final class ConvolutionKernel implements CpuKernel {
  /** System property: {@code auto}, or {@code off} for sums without Winograd's transformation. */
  public static final String WINOGRAD = "relaxvm.cpu.winograd";

  /** Output channels of a group below which most of a product's tile would be idle. */
  private static final int FEW_OUTPUTS = 4;

  /** Output channels of a group below which a panel of them would be mostly empty. */
  private static final int LEAST_CHANNELS = 16;

  /** Positions below which vectors would be idle. */
  private static final int FEW_PIXELS = 16;

  private final ProductConvolution product;
  private final WindowTile tile;
  private final ChannelTile channels;
  private final boolean winograd;
  private final Pool<WindowScratch> pool = new Pool<>(WindowScratch::new);

  private ConvolutionKernel(
      ProductConvolution product, WindowTile tile, ChannelTile channels, String setting) {
    this.product = product;
    this.tile = tile;
    this.channels = channels;
    winograd = usesWinograd(setting);
  }

  private static boolean usesWinograd(String setting) {
    return switch (setting) {
      case "", "auto" -> true;
      case "off" -> false;
      default ->
          throw new BackendException(
              ErrorKind.VALUE, "-D" + WINOGRAD + " must be auto or off, but is '" + setting + "'");
    };
  }

  /** With tiles of eight rows, for machines with 32 vector registers. */
  public static ConvolutionKernel ofEightRows(ProductConvolution product) {
    return ofEightRows(product, System.getProperty(WINOGRAD, ""));
  }

  /** As the other method, with a value of {@link #WINOGRAD}. */
  public static ConvolutionKernel ofEightRows(ProductConvolution product, String winograd) {
    return new ConvolutionKernel(product, new WindowTile8(), new ChannelTile8(), winograd);
  }

  /** With tiles of six rows, for machines with 16 vector registers. */
  public static ConvolutionKernel ofSixRows(ProductConvolution product) {
    return ofSixRows(product, System.getProperty(WINOGRAD, ""));
  }

  /** As the other method, with a value of {@link #WINOGRAD}. */
  public static ConvolutionKernel ofSixRows(ProductConvolution product, String winograd) {
    return new ConvolutionKernel(product, new WindowTile6(), new ChannelTile6(), winograd);
  }

  @Override
  public void run(KernelCall call) {
    run(Convolution.of(call));
  }

  /** Computes a convolution. */
  public void run(Convolution convolution) {
    if (!isDirect(convolution)) {
      product.run(convolution);
      return;
    }
    if (winograd && WinogradConvolution.run(tile, convolution, pool)) {
      return;
    }
    float[] panels =
        convolution.outputsPerGroup() < LEAST_CHANNELS
            ? null
            : ChannelPanels.of(
                Codecs.narrowFloat(convolution.dtype(), convolution.floats()),
                convolution,
                channels.width());
    if (panels != null) {
      new ChannelConvolution(channels, convolution, panels, pool).run();
    } else {
      new DirectConvolution(tile, convolution, pool).run();
    }
  }

  private static boolean isDirect(Convolution convolution) {
    Window vertical = convolution.windows().vertical();
    Window horizontal = convolution.windows().horizontal();
    if (!convolution.dtype().isFloat()
        || convolution.dtype().equals(DType.FLOAT64)
        || convolution.depth() == 0
        || convolution.pixels() == 0
        || convolution.out().dim(0) == 0
        || convolution.out().dim(1) == 0
        || !fitsArrays(convolution)) {
      return false;
    }
    if (convolution.outputsPerGroup() < FEW_OUTPUTS) {
      return true;
    }
    boolean isImage = vertical.isTrivial() && horizontal.isTrivial();
    long columns = convolution.out().dim(3);
    return !isImage && convolution.pixels() >= FEW_PIXELS && reach(horizontal) <= columns;
  }

  /** Whether a band of one row can be in an array. */
  private static boolean fitsArrays(Convolution convolution) {
    Window vertical = convolution.windows().vertical();
    Window horizontal = convolution.windows().horizontal();
    double width = (double) convolution.out().dim(3) + reach(horizontal);
    double height = 1.0 + reach(vertical);
    double phases =
        (double) Math.min(vertical.size(), vertical.stride())
            * Math.min(horizontal.size(), horizontal.stride());
    double band = convolution.inputsPerGroup() * phases * width * height;
    return band < 1 << 28 && convolution.out().dim(2) < 1 << 28 && convolution.depth() < 1 << 26;
  }

  private static double reach(Window window) {
    return (window.size() - 1) * (double) window.dilation() / window.stride();
  }
}
