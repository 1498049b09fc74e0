package org.relaxvm.examples.digits.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FaceSetTest {
  @Test
  void trainingAndHeldOutFacesAreDifferent() {
    assertThat(FaceSet.training().resources()).hasSize(40).doesNotHaveDuplicates();
    assertThat(FaceSet.heldOut().resources())
        .hasSize(16)
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(FaceSet.training().resources());
  }

  @Test
  void everyFaceHasTenCentredOutlinesOfHeightOne() throws IOException {
    Offset<Double> rounding = Offset.offset(1e-6);
    for (FaceSet set : List.of(FaceSet.training(), FaceSet.heldOut())) {
      for (Face face : set.load()) {
        for (int digit = 0; digit < 10; digit++) {
          Rectangle2D bounds = face.outline(digit).getBounds2D();
          assertThat(bounds.getHeight()).as(face.name()).isEqualTo(1, rounding);
          assertThat(bounds.getCenterX()).as(face.name()).isEqualTo(0, rounding);
          assertThat(bounds.getCenterY()).as(face.name()).isEqualTo(0, rounding);
          assertThat(bounds.getWidth()).as(face.name()).isBetween(0.2, 1.3);
        }
      }
    }
  }

  @Test
  void missingFontIsNamed() {
    assertThatThrownBy(() -> new FaceSet(List.of("/fonts/Missing.ttf")).load())
        .isInstanceOf(IOException.class)
        .hasMessage("font /fonts/Missing.ttf is not on the class path; is its jar a dependency?");
  }
}
