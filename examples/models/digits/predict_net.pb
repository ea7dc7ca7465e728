
digits:
data
conv1_w
conv1_bconv1"Conv*

kernel*
pad
conv1conv1"Relu/
conv1pool1"MaxPool*

kernel*

stride;
pool1
conv2_w
conv2_bconv2"Conv*

kernel*
pad
conv2conv2"Relu/
conv2pool2"MaxPool*

kernel*

stride
pool2
fc_w
fc_bfc"FC
fcsoftmax"Softmax:data:conv1_w:conv1_b:conv2_w:conv2_b:fc_w:fc_bBsoftmax