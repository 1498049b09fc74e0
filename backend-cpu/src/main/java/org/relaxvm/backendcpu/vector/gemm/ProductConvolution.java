package org.relaxvm.backendcpu.vector.gemm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Conv2dKernel;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.kernel.Window;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * A convolution as matrix products in vector code, one for each group of each image: rows of
 * weights times a matrix with a column for each output pixel, which exists only in panels, as
 * {@link ImagePacker} makes them. A window of one element without padding needs not even that: its
 * matrix is the image.
 *
 * <p>What makes no good product takes the portable way: integers, groups with few output channels,
 * and weights or outputs whose rows do not follow each other.
 */
public final class ProductConvolution {
  /** Output channels of a group below which most of a tile would be idle. */
  private static final int LEAST_OUTPUTS = 4;

  private final GemmKernel gemm;

  /** With the tiles and the scratch memory of the matrix product. */
  public ProductConvolution(GemmKernel gemm) {
    this.gemm = gemm;
  }

  /** Computes a convolution. */
  public void run(Convolution convolution) {
    if (!makesGoodProduct(convolution)) {
      Conv2dKernel.run(convolution);
      return;
    }
    Operand image = imageAsMatrix(convolution);
    if (image != null) {
      gemm.run(product(convolution, image));
    } else {
      gemm.run(product(convolution, convolution.data()), new ImageSource(convolution));
    }
  }

  private record ImageSource(Convolution convolution) implements RightSource {
    @Override
    public <A> RightMatrices<A> matrices(Tile<A> tile, Codec<A> codec) {
      return batch -> new ImagePacker<>(tile, codec, convolution, batch);
    }
  }

  private static boolean makesGoodProduct(Convolution convolution) {
    Operand out = convolution.out();
    Operand residual = convolution.residual();
    return convolution.dtype().isFloat()
        && isEven(out)
        && (residual == null || isEven(residual))
        && convolution.weightRowsAreEven()
        && convolution.outputsPerGroup() >= LEAST_OUTPUTS
        && convolution.depth() > 0
        && convolution.pixels() > 0
        && out.dim(0) > 0;
  }

  /** The image with a row for each channel, where that is the right matrix; else null. */
  private static @Nullable Operand imageAsMatrix(Convolution convolution) {
    Operand data = convolution.data();
    Window vertical = convolution.windows().vertical();
    Window horizontal = convolution.windows().horizontal();
    if (!isEven(data) || !vertical.isTrivial() || !horizontal.isTrivial()) {
      return null;
    }
    long inputs = convolution.inputsPerGroup();
    return new Operand(
        data.memory(),
        data.offset(),
        new long[] {data.dim(0), convolution.groups(), inputs, convolution.pixels()},
        new long[] {
          data.stride(0),
          inputs * data.stride(1),
          data.stride(1),
          data.stride(data.dim(3) == 1 ? 2 : 3)
        });
  }

  private static MatrixProduct product(Convolution convolution, Operand right) {
    Operand weight = convolution.weight();
    Operand out = convolution.out();
    long images = out.dim(0);
    long groups = convolution.groups();
    long outputs = convolution.outputsPerGroup();
    long pixels = convolution.pixels();
    Operand left =
        new Operand(
            weight.memory(),
            weight.offset(),
            new long[] {images, groups, outputs, convolution.depth()},
            new long[] {0, outputs * weight.stride(0), weight.stride(0), weight.stride(3)});
    Operand bias = convolution.bias();
    Operand stretchedBias =
        bias == null
            ? null
            : new Operand(
                bias.memory(),
                bias.offset(),
                new long[] {images, groups, outputs, pixels},
                new long[] {0, outputs * bias.stride(0), bias.stride(0), 0});
    Operand residual = convolution.residual();
    return new MatrixProduct(
        convolution.dtype(),
        convolution.floats(),
        left,
        right,
        stretchedBias,
        residual == null ? null : matrices(residual, convolution),
        convolution.activation(),
        matrices(out, convolution),
        convolution.workers());
  }

  /** Planes like those of the output, with a row for each channel. */
  private static Operand matrices(Operand planes, Convolution convolution) {
    long outputs = convolution.outputsPerGroup();
    return new Operand(
        planes.memory(),
        planes.offset(),
        new long[] {planes.dim(0), convolution.groups(), outputs, convolution.pixels()},
        new long[] {
          planes.stride(0),
          outputs * planes.stride(1),
          planes.stride(1),
          planes.stride(planes.dim(3) == 1 ? 2 : 3)
        });
  }

  /** Whether the elements of a plane follow each other at one distance. */
  private static boolean isEven(Operand planes) {
    return planes.dim(2) == 1
        || planes.dim(3) == 1
        || planes.stride(2) == planes.stride(3) * planes.dim(3);
  }
}
