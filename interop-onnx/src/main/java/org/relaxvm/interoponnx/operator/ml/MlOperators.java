package org.relaxvm.interoponnx.operator.ml;

import java.util.Map;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.OperatorTable;

/** The operators of {@code ai.onnx.ml}. */
public final class MlOperators {
  private MlOperators() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    Map<String, Converter> operators =
        Map.ofEntries(
            Map.entry("ArrayFeatureExtractor", Features::extract),
            Map.entry("Binarizer", Features::binarize),
            Map.entry("CategoryMapper", Labels::categories),
            Map.entry("DictVectorizer", Maps::vectorize),
            Map.entry("FeatureVectorizer", Features::join),
            Map.entry("Imputer", Features::impute),
            Map.entry("LabelEncoder", Labels::encode),
            Map.entry("LinearClassifier", LinearModels::classify),
            Map.entry("LinearRegressor", LinearModels::regress),
            Map.entry("Normalizer", Features::normalize),
            Map.entry("OneHotEncoder", Labels::oneHot),
            Map.entry("SVMClassifier", SupportVectors::classify),
            Map.entry("SVMRegressor", SupportVectors::regress),
            Map.entry("Scaler", Features::scale),
            Map.entry("TreeEnsembleClassifier", Trees::classify),
            Map.entry("TreeEnsembleRegressor", Trees::regress),
            Map.entry("ZipMap", Maps::zip));
    operators.forEach((name, converter) -> table.add(OperatorTable.ML, name, converter));
    table
        .add(new OperatorTable.Entry(OperatorTable.ML, "TreeEnsemble", 5, Trees::ensemble, null))
        .refuse(OperatorTable.ML, "CastMap", "maps are not cast to tensors: use DictVectorizer");
  }
}
